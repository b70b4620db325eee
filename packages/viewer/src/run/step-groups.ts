import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";

import { toolKey } from "../report/tool-spellings.ts";
import { isInLoop } from "./calls-in-loops.ts";

/** By what steps count as equal: the call, its outcome, or no more than its tool. */
export type Grouping = "call" | "outcome" | "tool";

/** Steps that are equal: they share a letter and a colour. */
export interface StepGroup {
  readonly key: string;
  readonly letter: string;
  /** From 0; the page has colours for the first ones and a pattern beyond. */
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

/** Groups of two and more equal steps by their key. Those that make up the loops come first, so that they get the clearest colours. */
export function stepGroups(
  steps: readonly ReportStep[],
  loops: readonly LoopSummary[],
  grouping: Grouping,
): ReadonlyMap<string, StepGroup> {
  const found = new Map<string, { count: number; inLoops: number; example: ReportStep }>();
  for (const step of steps) {
    const key = groupKey(step, grouping);
    if (key === undefined) continue;
    const group = found.get(key) ?? { count: 0, inLoops: 0, example: step };
    group.count++;
    if (isInAny(step, loops)) group.inLoops++;
    found.set(key, group);
  }
  const repeated = [...found].filter(([, { count }]) => count > 1);
  repeated.sort(([, one], [, other]) => other.inLoops - one.inLoops || other.count - one.count);
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
