import * as strands from "@strands-agents/sdk";
import { Agent, type Snapshot } from "@strands-agents/sdk";
import { HumanInTheLoop } from "@strands-agents/sdk/vended-interventions/hitl";
import { guard, loopStop } from "doomloop/strands";
import { answerAt } from "../../contracts/adapter-driver.ts";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { piecesOf, plain, toolOf } from "./driver.ts";
import { ScriptedModel } from "./scripted-model.ts";

interface Stored {
  readonly snapshot: Snapshot;
  readonly interrupts: readonly string[];
}

/** The run waits for a human at each call, who approves it in the next process. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const requests: unknown[] = [];
  const model = new ScriptedModel((messages) => {
    requests.push(plain(messages));
    return piecesOf(answerAt(script, requests.length - 1));
  });
  const config = { model, tools: [toolOf(tool)], interventions: [new HumanInTheLoop()], printer: false };
  const agent = new Agent(guard(config, { ...options, strands }));
  const { snapshot, interrupts = [] } = (stored ?? {}) as Partial<Stored>;
  if (snapshot !== undefined) agent.loadSnapshot(snapshot);
  const approvals = interrupts.map(
    (interruptId) => new strands.InterruptResponseContent({ interruptId, response: "y" }),
  );
  const result = await agent.invoke(stored === undefined ? "Where is it?" : approvals);
  const state = {
    snapshot: agent.takeSnapshot({ preset: "session" }),
    interrupts: result.interrupts?.map(({ id }) => id),
  };
  return { state, requests, isOver: result.stopReason !== "interrupt", stop: loopStop(result) };
};
