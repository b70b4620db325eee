import type { LabelledWindow } from "./labels.ts";
import { share } from "./share.ts";

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
