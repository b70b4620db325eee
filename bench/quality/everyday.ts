import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";

/** What is expected of a detector in an everyday run. */
export type Expectation = LoopExpectation | HealthyExpectation;

interface Repetition {
  /** The kind of repetition. */
  readonly class: string;
  /** The first and the last call of it. */
  readonly span: readonly [first: number, last: number];
}

interface HealthyExpectation extends Repetition {
  /** Any word is wrong · a nudge is arguable, refusing or ending is wrong. */
  readonly expect: "silent" | "nudge-at-most";
}

export interface LoopExpectation extends Repetition {
  readonly expect: "spoken";
  /** The first call at which a word is justified. */
  readonly from: number;
  /** The call at which a careful supervisor's patience ends. */
  readonly by: number;
}

/** What a line of an everyday file says beside the run. Throws for a line that does not say it. */
export function expectationOf(trace: TraceRun): Expectation {
  const {
    class: name,
    expect,
    from,
    by,
    span,
  } = trace as TraceRun & Partial<Omit<LoopExpectation, "expect">> & { expect?: Expectation["expect"] };
  if (typeof name === "string" && span?.length === 2) {
    if (expect === "silent" || expect === "nudge-at-most") return { class: name, span, expect };
    if (expect === "spoken" && typeof from === "number" && typeof by === "number")
      return { class: name, span, expect, from, by };
  }
  throw new Error(`${trace.run}: class, expect and span are required, and from and by for a loop`);
}

/** Scores a healthy everyday run by what was said in it. */
export function scoreInnocent(words: readonly { readonly action: Action }[]) {
  const isBlocked = words.some(({ action }) => action === "block");
  const isStopped = words.some(({ action }) => action === "stop" || action === "restart");
  return { isSpokenTo: words.length > 0, isBlocked, isStopped, isTooHard: isBlocked || isStopped };
}

/**
 * Scores an everyday loop by the calls at which a detector spoke. Found is in time: from the first call at which a word is justified to the one
 * after patience has ended. Early is a word before it was justified, whatever was said later.
 */
export function scoreLoop({ from, by }: Pick<LoopExpectation, "from" | "by">, spokeAt: readonly number[]) {
  const isFound = spokeAt.some((call) => call >= from && call <= by + 1);
  const isLate = spokeAt.some((call) => call > by + 1);
  const verdict: "found" | "late" | "missed" = isFound ? "found" : isLate ? "late" : "missed";
  return { verdict, isEarly: spokeAt.some((call) => call < from) };
}
