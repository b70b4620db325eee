import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";

/** The call at which the guard would first have spoken of a loop: where one sees what repeats. Its onset where it would not. */
export function firstWord(loop: LoopSummary | undefined): number {
  if (loop === undefined) return 1;
  return loop.decisions.length === 0 ? loop.onset : Math.min(...loop.decisions.map(({ call }) => call));
}
