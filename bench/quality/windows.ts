import type { LabelledWindow } from "./data.ts";
import { groupBy, randomFrom, share } from "./numbers.ts";

/** What a detector made of a window. */
export interface ScoredWindow {
  readonly window: LabelledWindow;
  readonly verdict: "hit" | "miss" | "false alarm" | "quiet";
  /** For a hit: how many calls after the right moment it came, negative if before. */
  readonly delay?: number;
}

/** Figures over windows. Where nothing was said, or nothing was to be said, a share is 0. */
export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly medianDelay: number | undefined;
  readonly hits: number;
  readonly misses: number;
  readonly falseAlarms: number;
  readonly quiet: number;
}

/** Scores one window by the calls of its run at which a detector spoke, in order. */
export function scoreWindow(window: LabelledWindow, spokeAt: readonly number[]): ScoredWindow {
  const { from, to, isLoop, onset, end, interrupt } = window;
  const inside = spokeAt.filter((call) => call >= from && call < to);
  if (!isLoop) return { window, verdict: inside.length > 0 ? "false alarm" : "quiet" };
  const first = inside.find((call) => call >= onset && call <= end + 1);
  if (first === undefined) return { window, verdict: "miss" };
  return { window, verdict: "hit", ...(interrupt === undefined ? {} : { delay: first - interrupt }) };
}

/** Precision, recall and delay over scored windows. */
export function tally(scored: readonly ScoredWindow[]): Score {
  const count = (verdict: ScoredWindow["verdict"]): number =>
    scored.reduce((sum, each) => sum + (each.verdict === verdict ? 1 : 0), 0);
  const [hits, misses, falseAlarms, quiet] = [count("hit"), count("miss"), count("false alarm"), count("quiet")];
  const precision = share(hits, hits + falseAlarms);
  const recall = share(hits, hits + misses);
  const delays = scored.flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
  const f1 = share(2 * precision * recall, precision + recall);
  return { precision, recall, f1, medianDelay: median(delays), hits, misses, falseAlarms, quiet };
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return undefined;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)];
}

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
  const groups = [...groupBy(scored, ({ window }) => taskOf(window.run)).values()];
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
