import type { JudgedRun, JudgedSource } from "./judged-run.ts";
import type { LabelledWindow } from "./labels.ts";
import { type Score, type ScoredWindow, scoreWindow, tally } from "./score-windows.ts";
import { share } from "./share.ts";

/** What came of choosing thresholds without a source and using them on it. */
interface LeftOut {
  readonly source: string;
  /** The setting that is best on all other sources. */
  readonly chosen: string;
  readonly score: Score;
}

export interface LeaveOneOut {
  readonly sources: readonly LeftOut[];
  /** Over all windows, each judged with the setting that was chosen without its source. */
  readonly pooled: Score;
}

/** A setting that speaks in more of the successful runs than this is not chosen, however many loops it finds. */
const MAX_SUCCESSES = 0.013;

/**
 * Chooses a setting for each source by all the other sources, and scores it on that source.
 *
 * The setting with the best F1 among those that leave successes alone; of equal ones `shipped`, else the first.
 */
export function leaveOneOut(
  sources: readonly JudgedSource[],
  windows: readonly LabelledWindow[],
  settings: readonly string[],
  shipped: string,
): LeaveOneOut {
  const runs = new Map(sources.flatMap((each) => each.runs.map((run) => [run.run, { run, source: each.source }])));
  const scoredBy = new Map(
    settings.map((name) => [
      name,
      windows.map((window) => scoreWindow(window, spoken(runs.get(window.run)!.run, name))),
    ]),
  );
  const isOf = ({ window }: ScoredWindow, source: string): boolean => runs.get(window.run)!.source === source;
  const inOrder = [shipped, ...settings.filter((name) => name !== shipped)];

  const choose = (source: string): string => {
    const others = sources.filter((each) => each.source !== source);
    const successes = others.filter(showsResults).flatMap((each) => each.runs.filter(({ isSuccess }) => isSuccess));
    const nudged = (name: string): number =>
      share(successes.filter((run) => spoken(run, name).length > 0).length, successes.length);
    const quiet = inOrder.filter((name) => nudged(name) <= MAX_SUCCESSES);
    const f1 = (name: string): number => tally(scoredBy.get(name)!.filter((each) => !isOf(each, source))).f1;
    return (quiet.length > 0 ? quiet : [shipped]).reduce((best, name) => (f1(name) > f1(best) ? name : best));
  };

  const pooled: ScoredWindow[] = [];
  const leftOut = sources.map(({ source }) => {
    const chosen = choose(source);
    const own = scoredBy.get(chosen)!.filter((each) => isOf(each, source));
    pooled.push(...own);
    return { source, chosen, score: tally(own) };
  });
  return { sources: leftOut, pooled: tally(pooled) };
}

function spoken(run: JudgedRun, name: string): readonly number[] {
  return run.spokeAt[name] ?? [];
}

function showsResults({ runs }: JudgedSource): boolean {
  return runs.some(({ hasResults }) => hasResults);
}
