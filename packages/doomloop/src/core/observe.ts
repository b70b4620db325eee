import { covers, lookAt, type Seen } from "./detectors/index.ts";
import { type Memory, newTurn, remember } from "./memory.ts";
import { isNearly } from "./rows.ts";
import { answerCall, escalate, type Ladder, type LoopCall, type Reply, relax, type Stage, sleep } from "./stage.ts";
import type { Call, Step } from "./step.ts";

/** What reading made of an event. No text gets past reading, so nothing here depends on words. */
export type Read =
  | { readonly kind: "call"; readonly call: Call }
  | {
      readonly kind: "step";
      readonly step: Step;
      /** Whether the host wants to be told of this, and whether others confirm it. */
      readonly wants: (seen: Seen) => boolean;
      readonly confirms: () => boolean;
      /** `record`: what is seen counts, but the agent cannot be told now · `nobody`: it is only remembered. */
      readonly audience: "agent" | "record" | "nobody";
    }
  | { readonly kind: "turn" };

/** What to do about an event, and the memory to pass in with the next one. */
export interface Observed {
  readonly memory: Memory;
  readonly reply: Reply;
  /** The loop that is answered, and what was seen in the step. */
  readonly loop?: LoopCall | undefined;
  readonly seen?: Seen | undefined;
  readonly all?: readonly Seen[];
}

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
  const parts = stage.calls.filter((each) => isPartOf(memory, call, each));
  const loop = parts.find(({ step }) => step.call === call.call) ?? parts.at(-1);
  if (loop === undefined) return { memory, reply: "continue" };
  const [next, reply] = answerCall(stage, call, loop.isClear && loop.step.call === call.call, ladder);
  return { memory: next === stage ? memory : { ...memory, stage: next }, reply, loop };
}

/** A call with its result: the first detector that has enough evidence is answered. */
function onStep(
  memory: Memory,
  { step, wants, confirms, audience }: Extract<Read, { kind: "step" }>,
  ladder: Ladder,
): Observed {
  const all = lookAt(step, memory);
  const next = remember(memory, step, all);
  const seen = all.find(wants);
  if (audience === "nobody") return { memory: next, reply: "continue", seen, all };
  const shown = seen ?? goesOn(memory.stage, step);
  if (shown === undefined) {
    const stage =
      step.effect === "wait"
        ? sleep(memory.stage, step)
        : step.progress === "none"
          ? memory.stage
          : relax(memory.stage, ladder.levels, step);
    return { memory: stage === memory.stage ? next : { ...next, stage }, reply: "continue", all };
  }
  const { kind, about, isClear, isList = false } = shown;
  const loop = { kind, about, isClear, isList, step, changes: next.world.changes };
  const [stage, reply] = escalate(memory.stage, loop, ladder, { isConfirmed: confirms(), isTold: audience === "agent" });
  return { memory: { ...next, stage }, reply, seen, all, loop };
}

/** The agent was told, and goes on with nearly the same call, which comes to the same. */
function goesOn(stage: Stage, step: Step): LoopCall | undefined {
  if (stage.at === "quiet" || step.waitedMs > 0 || step.times > 0) return undefined;
  const loop = stage.calls.findLast(
    ({ step: last }) => last.result === step.result && last.call !== step.call && isNearly(step, last),
  );
  return loop && { ...loop, isClear: false };
}

/** A repeated call is another attempt once something was changed; other kinds show that changes do not help. */
function isPartOf({ world }: Memory, call: Call, { kind, step, changes, isList }: LoopCall): boolean {
  if ((kind === "repeated-call" || kind === "call-cycle") && world.changes !== changes) return false;
  if (isList && call.isNewCall) return false;
  return covers(kind, call, step) || isNearly(call, step);
}
