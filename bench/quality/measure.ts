import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { PresetName } from "../../packages/doomloop/src/index.ts";
import { type Data, type Labels, type ReplayOrder, readLabels, type SourceKind } from "./data.ts";
import { type GuardChoice, loadGuard } from "./guard.ts";
import { type Instrument, liveInstruments, measureInstruments } from "./instruments.ts";
import { type JudgedRun, type JudgedSource, OURS } from "./judge-run.ts";
import { share, shareOf } from "./numbers.ts";
import type { QuickOrder, QuickSource } from "./quick-run.ts";
import { measureReactions } from "./reactions.ts";
import { measureSteadiness } from "./steadiness.ts";
import { bootstrap, type Intervals, type Score, scoreWindow, tally } from "./windows.ts";
import { askWorkers } from "./workers.ts";

/** How much longer a file takes than its size tells: healthy runs are replayed in all variants. */
const EFFORT: Readonly<Record<SourceKind, number>> = { recorded: 1, later: 1, sessions: 3, everyday: 3 };
/** The strata whose windows were drawn by a simple rule, and at random. */
const INDEPENDENT = ["a", "d"];

/** Of the runs that ended well: how many, and the shares in which our guard would have acted. */
interface Successes {
  readonly runs: number;
  readonly nudged: number;
  readonly blocked: number;
  readonly stopped: number;
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

/** Figures on judged windows, and on the runs that they are from. */
export interface Measurement {
  /** Ours is the first. */
  readonly detectors: readonly {
    readonly name: string;
    readonly score: Score;
    readonly intervals: Intervals;
    /** The share of successful runs in which it speaks. */
    readonly successesAlarmed: number;
    readonly alarmsPerThousandCalls: number;
  }[];
  readonly sources: readonly SourceFigures[];
  /** Over the sources that show results and know of successes. */
  readonly successes: Successes;
  readonly windows: number;
  readonly loops: number;
  readonly disputed: number;
}

/** All that was replayed, and what the instruments say of it. */
export interface Measured {
  readonly sources: readonly JudgedSource[];
  /** Undefined without recorded runs. */
  readonly measurement: Measurement | undefined;
  readonly instruments: readonly Instrument[];
}

/** Replays all runs there are on as many threads as there are cores, and asks every instrument. */
export async function measureAll(
  { preset, detector, ...choice }: GuardChoice & { readonly preset: PresetName; readonly detector: string | undefined },
  { traces, labels, laterLabels }: Data,
): Promise<Measured> {
  const given = detector === undefined ? {} : { detector: resolve(detector) };
  const orders = (Object.keys(EFFORT) as SourceKind[]).flatMap((kind) =>
    traces[kind].map((path): ReplayOrder => ({ path, kind, preset, ...given })),
  );
  const effortOf = ({ path, kind }: ReplayOrder): number => EFFORT[kind] * statSync(path).size;
  // The longest first, so that no thread is left alone with it at the end.
  orders.sort((one, other) => effortOf(other) - effortOf(one));
  const sources = await askWorkers<JudgedSource>("judge", { ...choice, preset }, orders);
  sources.sort((one, other) => (one.source < other.source ? -1 : 1));
  const of = (kind: SourceKind): JudgedSource[] => sources.filter((each) => each.kind === kind);
  const measurement = of("recorded").length === 0 ? undefined : measure(of("recorded"), readLabels(labels));
  const own = readLabels(laterLabels);
  const windows = own.windows.filter(({ stratum = "" }) => INDEPENDENT.includes(stratum));
  const later =
    of("later").length === 0
      ? undefined
      : { all: measure(of("later"), own), independent: measure(of("later"), { ...own, windows }) };
  const live = await measureLive(traces.everyday, { ...choice, preset });
  return { sources, measurement, instruments: [...measureInstruments(sources, measurement, later), ...live] };
}

async function measureLive(everyday: readonly string[], choice: GuardChoice): Promise<Instrument[]> {
  const told = { kind: "everyday", labelled: [], oneIn: 1, variant: "tools renamed, answers reworded" } as const;
  const orders = everyday.map((path): QuickOrder => ({ path, ...told }));
  const reworded = await askWorkers<QuickSource>("replay", choice, orders);
  const createGuard = await loadGuard(choice);
  return liveInstruments(createGuard, {
    reworded: reworded.flatMap(({ runs }) => runs),
    reactions: await measureReactions(everyday, choice),
    steadiness: measureSteadiness(createGuard),
  });
}

/** Works out all figures. Throws if a label's run is in no source. */
export function measure(sources: readonly JudgedSource[], { windows, disputed }: Labels): Measurement {
  const runs = new Map(sources.flatMap((each) => each.runs.map((run) => [run.run, { ...run, source: each.source }])));
  const missing = windows.filter(({ run }) => !runs.has(run)).length;
  if (missing > 0) throw new Error(`${missing} of ${windows.length} labels are of runs that are in no trace file`);

  const sourceOf = (run: string): string => runs.get(run)!.source;
  const taskOf = (run: string): string => `${sourceOf(run)} ${runs.get(run)!.task ?? run}`;
  const scoredBy = (name: string) =>
    windows.map((window) => scoreWindow(window, runs.get(window.run)!.spokeAt[name] ?? []));
  const all = [...runs.values()];
  // A run without results is judged by its calls alone: such a source is listed apart.
  const counted = sources.filter((each) => each.runs.some(isSuccess) && each.runs.some(({ hasResults }) => hasResults));
  const successful = counted.flatMap((source) => source.runs.filter(isSuccess));
  const scored = scoredBy(OURS);

  return {
    detectors: Object.keys(all[0]?.spokeAt ?? { [OURS]: [] }).map((name) => ({
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
        calls: callsIn(each.runs),
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
  };
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

function callsIn(runs: readonly JudgedRun[]): number {
  return runs.reduce((total, { calls }) => total + calls, 0);
}

function alarmsPerThousandCalls(runs: readonly JudgedRun[], name: string): number {
  const alarms = runs.reduce((total, { spokeAt }) => total + (spokeAt[name]?.length ?? 0), 0);
  return 1_000 * share(alarms, callsIn(runs));
}
