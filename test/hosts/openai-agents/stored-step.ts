import { Runner, RunState } from "@openai/agents";
import { guard, loopStop } from "doomloop/openai-agents";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { agentOf } from "./driver.ts";
import { scriptedModel } from "./scripted-model.ts";

/** The run waits for a human at each call, who approves it in the next process. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const agent = agentOf([{ ...tool, needsApproval: true }], options);
  const model = scriptedModel(script);
  const input = stored === undefined ? "Where is it?" : await restore(agent, String(stored));
  const result = await new Runner({ model }).run(agent, input);
  const isOver = result.interruptions.length === 0;
  return { state: result.state.toString(), requests: model.requests, isOver, stop: loopStop(result) };
};

async function restore(agent: ReturnType<typeof agentOf>, text: string) {
  const state = guard(await RunState.fromString(agent, text));
  for (const item of state.getInterruptions()) state.approve(item);
  return state;
}
