import { covers, lookAt, type Seen } from "./detectors/index.ts";
import { type Memory, newTurn, remember } from "./memory.ts";
import { answerCall, escalate, type Ladder, type LoopCall, type Reply, relax } from "./stage.ts";
import type { Call, Step } from "./step.ts";

/** What reading made of an event. No text gets past reading, so nothing here depends on words. */
export type Read =
  | { readonly kind: "call"; readonly call: Call }
  | {
      readonly kind: "step";
      readonly step: Step;
      readonly wants: (seen: Seen) => boolean;
      readonly isConfirmed: boolean;
    }
  | { readonly kind: "turn" };

/** What to do about an event, and the memory to pass in with the next one. */
export interface Observed {
  readonly memory: Memory;
  readonly reply: Reply;
  /** The loop that is answered, and what was seen in the step. */
  readonly loop?: LoopCall;
  readonly seen?: Seen;
  readonly all?: readonly Seen[];
}

/** Rounding must not delay an answer. */
const TOLERANCE = 0.01;

/** Decides on one event. The same memory and event give the same answer; nothing is changed, and nothing is thrown. */
export function observe(memory: Memory, read: Read, ladder: Ladder): Observed {
  switch (read.kind) {
    case "call":
      return onCall(memory, read.call, ladder);
    case "step":
      return onStep(memory, read, ladder);
    case "turn":
      return { memory: newTurn(memory), reply: "continue" };
  }
}

/** A call before it runs: refused if it goes on with a loop that the agent was told of. */
function onCall(memory: Memory, call: Call, ladder: Ladder): Observed {
  const { stage } = memory;
  if (stage.at === "quiet") return { memory, reply: "continue" };
  if (stage.at === "ended") return { memory, reply: "end", loop: stage.calls.at(-1)! };
  const loop = stage.calls.findLast((each) => isPartOf(memory, call, each));
  if (loop === undefined) return { memory, reply: "continue" };
  const [next, reply] = answerCall(stage, call, loop.isClear && loop.step.call === call.call, ladder);
  return { memory: next === stage ? memory : { ...memory, stage: next }, reply, loop };
}

/** A call with its result: the first detector that has enough evidence is answered. */
function onStep(
  memory: Memory,
  { step, wants, isConfirmed }: Extract<Read, { kind: "step" }>,
  ladder: Ladder,
): Observed {
  const all = lookAt(step, memory);
  const next = remember(memory, step, all);
  const { levels } = ladder;
  const seen = all.find((each) => each.evidence > levels.told - TOLERANCE && wants(each));
  if (seen === undefined) {
    const stage = step.progress === "none" ? memory.stage : relax(memory.stage, levels, step);
    return { memory: stage === memory.stage ? next : { ...next, stage }, reply: "continue", all };
  }
  const { kind, about, isClear } = seen;
  const shown = { kind, about, isClear, changes: next.world.changes, isConfirmed };
  const [stage, reply] = escalate(memory.stage, shown, step, ladder);
  return { memory: { ...next, stage }, reply, seen, all, loop: { kind, about, isClear, changes: shown.changes, step } };
}

/** A repeated call is another attempt once something was changed; other kinds show that changes do not help. */
function isPartOf({ world }: Memory, call: Call, { kind, step, changes }: LoopCall): boolean {
  if ((kind === "repeated-call" || kind === "call-cycle") && world.changes !== changes) return false;
  return covers(kind, call, step);
}
