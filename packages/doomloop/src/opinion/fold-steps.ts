import type { RecordedStep } from "./run-record.ts";

/** What takes one line of an excerpt: a step with equal ones after it, or laps of a cycle that repeat the steps before. */
export type StepGroup =
  | { readonly kind: "steps"; readonly step: RecordedStep; readonly more: readonly RecordedStep[] }
  | {
      readonly kind: "laps";
      /** The first of the repeated calls. */
      readonly first: number;
      readonly period: number;
      readonly laps: number;
      readonly isExact: boolean;
    };

const LONGEST_LAP = 8;
const FEWEST_LAPS = 2;

/** Folds steps that repeat what stands before them, so that each line is news. */
export function foldSteps(steps: readonly RecordedStep[]): readonly StepGroup[] {
  const groups: StepGroup[] = [];
  for (let at = 0; at < steps.length; ) {
    const equal = equalFrom(steps, at);
    const lap = equal === 0 ? lapFrom(steps, at) : undefined;
    if (lap !== undefined) {
      const { period, laps } = lap;
      for (let place = at; place < at + period; place++) groups.push({ kind: "steps", step: steps[place]!, more: [] });
      const first = at + period;
      const isExact = steps
        .slice(first, first + laps * period)
        .every((step, place) => step.outcome?.exact === steps[at + (place % period)]!.outcome?.exact);
      groups.push({ kind: "laps", first: steps[first]!.index, period, laps, isExact });
      at = first + laps * period;
    } else {
      groups.push({ kind: "steps", step: steps[at]!, more: steps.slice(at + 1, at + 1 + equal) });
      at += equal + 1;
    }
  }
  return groups;
}

function isSame(one: RecordedStep, other: RecordedStep): boolean {
  return one.call === other.call && one.outcome?.words === other.outcome?.words;
}

/** How many steps right after this one are the same. */
function equalFrom(steps: readonly RecordedStep[], at: number): number {
  let count = 0;
  while (at + 1 + count < steps.length && isSame(steps[at]!, steps[at + 1 + count]!)) count++;
  return count;
}

/** The cycle that begins here and goes round at least twice more. */
function lapFrom(steps: readonly RecordedStep[], at: number): { period: number; laps: number } | undefined {
  for (let period = 2; period <= LONGEST_LAP; period++) {
    let same = 0;
    while (at + period + same < steps.length && isSame(steps[at + same]!, steps[at + period + same]!)) same++;
    const laps = Math.floor(same / period);
    if (laps >= FEWEST_LAPS) return { period, laps };
  }
  return undefined;
}
