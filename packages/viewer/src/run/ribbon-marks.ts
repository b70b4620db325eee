import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";

export interface RibbonMark {
  readonly call: number;
  readonly action: string;
}

/** Of a ribbon's width. */
const LEAST_DISTANCE = 0.04;

/** What the guard would have done, for the ribbon: of equal marks that would lie on each other, the first. */
export function ribbonMarks(loops: readonly LoopSummary[], total: number): readonly RibbonMark[] {
  const latest = new Map<string, number>();
  return loops
    .flatMap(({ decisions }) => decisions)
    .toSorted((one, other) => one.call - other.call)
    .filter(({ call, action }) => {
      const before = latest.get(action);
      if (before !== undefined && call - before < total * LEAST_DISTANCE) return false;
      latest.set(action, call);
      return true;
    });
}
