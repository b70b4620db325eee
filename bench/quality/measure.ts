import { bootstrap, type Intervals } from "./bootstrap.ts";
import { type JudgedRun, type JudgedSource, OURS } from "./judged-run.ts";
import type { Labels } from "./labels.ts";
import { type Score, type ScoredWindow, scoreWindow, tally } from "./score-windows.ts";
import { share, shareOf } from "./share.ts";

/** Of the runs that ended well: how many, and the shares in which our guard would have acted. */
interface Successes {
  readonly runs: number;
  readonly nudged: number;
  readonly blocked: number;
  readonly stopped: number;
}

export interface DetectorFigures {
  readonly name: string;
  readonly score: Score;
  readonly intervals: Intervals;
  /** The share of successful runs in which it speaks. */
  readonly successesAlarmed: number;
  readonly alarmsPerThousandCalls: number;
}

/** Figures of our guard on one source. */
export interface SourceFigures {
  readonly source: string;
  readonly runs: number;
  readonly calls: number;
  readonly hasResults: boolean;
  readonly successes: Successes;
  readonly alarmsPerThousandCalls: number;
  readonly windows: number;
  readonly loops: number;
  /** The score over all other sources. */
  readonly without: Score;
}

export interface Measurement {
  /** Ours is the first. */
  readonly detectors: readonly DetectorFigures[];
  readonly sources: readonly SourceFigures[];
  /** Over the sources that show results and know of successes. */
  readonly successes: Successes;
  readonly windows: number;
  readonly loops: number;
  readonly disputed: number;
  /** What our guard made of each window. */
  readonly scored: readonly ScoredWindow[];
}

/** Works out all figures. Throws if a label's run is in no source. */
export function measure(sources: readonly JudgedSource[], { windows, disputed }: Labels): Measurement {
  const runs = new Map(sources.flatMap((each) => each.runs.map((run) => [run.run, { ...run, source: each.source }])));
  const missing = windows.filter(({ run }) => !runs.has(run)).length;
  if (missing > 0) throw new Error(`${missing} of ${windows.length} labels are of runs that are in no trace file`);

  const scoredBy = (name: string): ScoredWindow[] =>
    windows.map((window) => scoreWindow(window, runs.get(window.run)!.spokeAt[name] ?? []));
  const sourceOf = (run: string): string => runs.get(run)!.source;
  const taskOf = (run: string): string => `${sourceOf(run)} ${runs.get(run)!.task ?? run}`;
  const all = [...runs.values()];
  const successful = sources.filter(countsForSuccesses).flatMap((source) => source.runs.filter(isSuccess));
  const names = Object.keys(all[0]?.spokeAt ?? { [OURS]: [] });
  const scored = scoredBy(OURS);

  return {
    detectors: names.map((name) => ({
      name,
      score: tally(scoredBy(name)),
      intervals: bootstrap(scoredBy(name), taskOf),
      successesAlarmed: shareOf(successful, (run) => hasSpoken(run, name)),
      alarmsPerThousandCalls: alarmsPerThousandCalls(all, name),
    })),
    sources: sources.map((each) => {
      const own = scored.filter(({ window }) => sourceOf(window.run) === each.source);
      return {
        source: each.source,
        runs: each.runs.length,
        calls: sum(each.runs, ({ calls }) => calls),
        hasResults: each.runs.some(({ hasResults }) => hasResults),
        successes: successesOf(each.runs.filter(isSuccess)),
        alarmsPerThousandCalls: alarmsPerThousandCalls(each.runs, OURS),
        windows: own.length,
        loops: own.filter(({ window }) => window.isLoop).length,
        without: tally(scored.filter(({ window }) => sourceOf(window.run) !== each.source)),
      };
    }),
    successes: successesOf(successful),
    windows: windows.length,
    loops: windows.filter(({ isLoop }) => isLoop).length,
    disputed,
    scored,
  };
}

/** A run without results is judged by its calls alone: such a source is listed apart. */
function countsForSuccesses({ runs }: JudgedSource): boolean {
  return runs.some(isSuccess) && runs.some(({ hasResults }) => hasResults);
}

function isSuccess(run: JudgedRun): boolean {
  return run.isSuccess;
}

function hasSpoken({ spokeAt }: JudgedRun, name: string): boolean {
  return (spokeAt[name]?.length ?? 0) > 0;
}

function successesOf(runs: readonly JudgedRun[]): Successes {
  return {
    runs: runs.length,
    nudged: shareOf(runs, (run) => hasSpoken(run, OURS)),
    blocked: shareOf(runs, ({ isBlocked }) => isBlocked),
    stopped: shareOf(runs, ({ isStopped }) => isStopped),
  };
}

function alarmsPerThousandCalls(runs: readonly JudgedRun[], name: string): number {
  const alarms = sum(runs, ({ spokeAt }) => spokeAt[name]?.length ?? 0);
  return (
    1_000 *
    share(
      alarms,
      sum(runs, ({ calls }) => calls),
    )
  );
}

function sum(runs: readonly JudgedRun[], numberOf: (run: JudgedRun) => number): number {
  return runs.reduce((total, run) => total + numberOf(run), 0);
}
