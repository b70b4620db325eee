import type { LoopExpectation } from "./expectation.ts";

export interface LoopScore {
  /** Found is in time: from the first call at which a word is justified to the one after patience has ended. */
  readonly verdict: "found" | "late" | "missed";
  /** Something was said before a word was justified, whatever was said later. */
  readonly isEarly: boolean;
}

/** Scores an everyday loop by the calls at which a detector spoke. */
export function scoreLoop({ from, by }: Pick<LoopExpectation, "from" | "by">, spokeAt: readonly number[]): LoopScore {
  const isFound = spokeAt.some((call) => call >= from && call <= by + 1);
  const isLate = spokeAt.some((call) => call > by + 1);
  return { verdict: isFound ? "found" : isLate ? "late" : "missed", isEarly: spokeAt.some((call) => call < from) };
}
