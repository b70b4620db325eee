import { randomFrom } from "./random.ts";
import { type ScoredWindow, tally } from "./score-windows.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Intervals {
  readonly precision: Interval;
  readonly recall: Interval;
  readonly f1: Interval;
}

export const RESAMPLES = 1_000;
export const SEED = 20_260_101;
const TAIL = 0.025;

/**
 * Percentile intervals of 95 %, from windows drawn anew with replacement.
 *
 * Whole tasks are drawn: windows of one task are not independent of each other.
 */
export function bootstrap(scored: readonly ScoredWindow[], taskOf: (run: string) => string): Intervals {
  const groups = groupBy(scored, ({ window }) => taskOf(window.run));
  const random = randomFrom(SEED);
  const draws = Array.from({ length: RESAMPLES }, () =>
    tally(groups.flatMap(() => groups[Math.floor(random() * groups.length)]!)),
  );
  return {
    precision: interval(draws.map(({ precision }) => precision)),
    recall: interval(draws.map(({ recall }) => recall)),
    f1: interval(draws.map(({ f1 }) => f1)),
  };
}

function interval(values: number[]): Interval {
  const sorted = values.sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? 0;
  return { low: at(TAIL), high: at(1 - TAIL) };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
