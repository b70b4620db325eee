import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";

import { toolKey } from "../../../doomloop/src/scan/report/words.ts";
import { isInLoop } from "./calls-in-loops.ts";

/** By what steps count as equal: the call, its outcome, or no more than its tool. */
export type Grouping = "call" | "outcome" | "tool";

/** Steps that are equal: they share a letter, and in a loop a colour. */
export interface StepGroup {
  readonly key: string;
  readonly letter: string;
  /** From 0, those of loops first. */
  readonly index: number;
  readonly count: number;
  /** How many of them lie in a loop. */
  readonly inLoops: number;
  /** The first of them. */
  readonly example: ReportStep;
}

/** What makes a step equal to others; undefined where there is nothing to compare. */
export function groupKey(step: ReportStep, grouping: Grouping): string | undefined {
  if (grouping === "outcome") return step.outcome ?? undefined;
  return grouping === "call" ? step.same : toolKey(step.tool);
}

/** Groups of two and more equal steps by their key. Letters begin with the loops: A is the first loop's first call. */
export function stepGroups(
  steps: readonly ReportStep[],
  loops: readonly LoopSummary[],
  grouping: Grouping,
): ReadonlyMap<string, StepGroup> {
  const found = new Map<string, { count: number; inLoops: number; example: ReportStep }>();
  // A group's place: the call with which it first takes part in a loop.
  const place = new Map<string, number>();
  for (const step of steps) {
    const key = groupKey(step, grouping);
    if (key === undefined) continue;
    const group = found.get(key) ?? { count: 0, inLoops: 0, example: step };
    group.count++;
    if (isInAny(step, loops)) {
      group.inLoops++;
      if (!place.has(key)) place.set(key, step.call);
    }
    found.set(key, group);
  }
  const repeated = [...found].filter(([, { count }]) => count > 1);
  const placeOf = (key: string) => place.get(key) ?? Number.MAX_SAFE_INTEGER;
  repeated.sort(([key, one], [other, { count }]) => placeOf(key) - placeOf(other) || count - one.count);
  return new Map(repeated.map(([key, group], index) => [key, { key, letter: letterOf(index), index, ...group }]));
}

/** The strictest grouping under which most steps of the loops have an equal: a loop of varied calls shows by its outcomes. */
export function chooseGrouping(steps: readonly ReportStep[], loops: readonly LoopSummary[]): Grouping {
  const looping = steps.filter((step) => isInAny(step, loops));
  for (const grouping of ["call", "outcome", "tool"] as const) {
    const groups = stepGroups(looping, [], grouping);
    const equal = looping.filter((step) => groups.has(groupKey(step, grouping) ?? ""));
    if (equal.length * 2 > looping.length) return grouping;
  }
  return "call";
}

function isInAny({ call }: ReportStep, loops: readonly LoopSummary[]): boolean {
  return loops.some((loop) => isInLoop(call, loop));
}

/** A to Z, then AA, AB and so on. */
function letterOf(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}
