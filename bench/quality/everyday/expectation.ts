import type { TraceRun } from "../../../packages/doomloop/src/transcripts/trace/trace-run.ts";

interface Repetition {
  /** The kind of repetition. */
  readonly class: string;
  /** The first and the last call of it. */
  readonly span: readonly [first: number, last: number];
}

/** Honest repetition. */
export interface InnocentExpectation extends Repetition {
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

/** What is expected of a detector in an everyday run. */
export type Expectation = InnocentExpectation | LoopExpectation;

/** What a line of an everyday file says beside the run. Throws for a line that does not say it. */
export function expectationOf(trace: TraceRun): Expectation {
  const {
    class: name,
    expect,
    from,
    by,
    span,
  } = trace as TraceRun &
    Partial<LoopExpectation | InnocentExpectation> &
    Partial<Pick<LoopExpectation, "from" | "by">>;
  if (typeof name === "string" && span?.length === 2) {
    if (expect === "silent" || expect === "nudge-at-most") return { class: name, span, expect };
    if (expect === "spoken" && typeof from === "number" && typeof by === "number")
      return { class: name, span, expect, from, by };
  }
  throw new Error(`${trace.run}: class, expect and span are required, and from and by for a loop`);
}
