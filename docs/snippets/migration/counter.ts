import { createGuard } from "doomloop";
import { createCountingGuard } from "doomloop/counting";

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** Your own loop: the next call of the model, a tool that runs, and the answer that the model reads. */
interface Agent {
  nextCall(): Promise<Call | undefined>;
  runTool(call: Call): Promise<string>;
  answer(call: Call, content: string): Promise<void>;
}

const MAX_STEPS = 50;

export async function withCounter(agent: Agent): Promise<void> {
  // #region before
  const seen = new Map<string, number>();
  for (let step = 0; step < MAX_STEPS; step++) {
    const call = await agent.nextCall();
    if (call === undefined) return;
    const key = JSON.stringify([call.tool, call.args]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count >= 3) throw new Error(`stuck: ${call.tool} three times`);
    await agent.answer(call, await agent.runTool(call));
  }
  // #endregion before
}

export async function withGuard(agent: Agent): Promise<void> {
  // #region after
  const guard = createGuard();
  for (let step = 0; step < MAX_STEPS; step++) {
    const call = await agent.nextCall();
    if (call === undefined) return;
    const { output, message, stop } = await guard.call(call, () => agent.runTool(call));
    await agent.answer(call, [output, message].filter(Boolean).join("\n\n"));
    if (stop !== undefined) throw new Error(stop.explanation);
  }
  // #endregion after
}

/** A guard that is as strict as the counter: for a first step, or to compare the two. */
export function asCounter() {
  // #region same
  const guard = createCountingGuard({ repeats: 3, within: 100 }, { ladder: ["stop"] });
  // #endregion same
  return guard;
}
