import { guard, loopStop } from "doomloop/ai-sdk";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { packages } from "./ai-packages.ts";
import { scripted } from "./scripted.ts";

const ai = packages[0]!;

/** The program stores the list of messages after each step. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const messages = (stored ?? [{ role: "user", content: "Where is it?" }]) as object[];
  const tools = { [tool.name]: { inputSchema: ai.jsonSchema({ type: "object" }), execute: tool.run } };
  const { model, requests } = scripted(ai, script);
  const settings = guard({ tools, stopWhen: ai.stepCountIs(1) } as { tools: object }, options);
  const result = (await ai.generateText({ ...settings, model, messages })) as { response: { messages: object[] } };
  const stop = loopStop(result as never);
  const prompts = requests.map(({ prompt }) => prompt);
  return { state: [...messages, ...result.response.messages], requests: prompts, isOver: stop !== undefined, stop };
};
