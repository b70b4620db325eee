import { Agent } from "@mastra/core/agent";
import { guard, type LoopStop } from "doomloop/mastra";
import type { HostRequest } from "../../contracts/adapter-driver.ts";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { scripts } from "../shared/scripts.ts";
import { toolOf } from "./driver.ts";
import { scriptedModel } from "./scripted-model.ts";

/** The program stores the list of messages after each step. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const messages = (stored ?? [{ role: "user", content: "Where is it?" }]) as object[];
  const about = { id: "scripted", name: "scripted", instructions: "You look things up." };
  const config = { ...about, model: scriptedModel(), tools: { [tool.name]: toolOf(tool) } };
  const agent = new Agent(guard(config, options) as never);
  const told = { answers: script, requests: [] as HostRequest[] };
  const result = await scripts.run(told, () => agent.generate(messages as never, { maxSteps: 1 }));
  const stop = result.tripwire?.metadata as LoopStop | undefined;
  // Mastra joins the answers of an agent in one message.
  const state = [messages[0], ...(result.response.messages ?? [])];
  return { state, requests: told.requests.map(({ messages }) => messages), isOver: stop !== undefined, stop };
};
