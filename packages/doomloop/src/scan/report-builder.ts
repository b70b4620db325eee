import { adviceFor } from "./advice/advice.ts";
import { type AddedRun, dedupeRuns, sessionId } from "./dedupe-runs.ts";
import type { FoundFile } from "./find-transcripts.ts";
import { mostRepeated } from "./repeats.ts";
import { rankBySpending } from "./report/amounts.ts";
import type { HookTally, LoopSummary, Report, ReportStep, RunSteps, StoppedScan } from "./report/report.ts";
import type { FileRecord, LoopRecord, RunRecord, StepRecord } from "./run-record.ts";
import { byTime, isoTime, type ReportNames, sessionOf, totalsOf } from "./session-summary.ts";

export interface ReportOptions {
  readonly version: string;
  readonly preset: string;
  /**
   * The path of the options file, as the report shows it.
   * @default none
   */
  readonly config?: string | undefined;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly includesContent: boolean;
  readonly pricesAsOf: string | null;
  /** Whether to keep steps, for the report page and for programs. */
  readonly hasSteps: boolean;
  /**
   * What the hooks counted.
   * @default nothing
   */
  readonly hooks?: HookTally | undefined;
  /**
   * Files and folders that the search skipped.
   * @default nothing
   */
  readonly passedOver?: readonly PassedOver[];
  /**
   * The display name of an agent.
   * @default the agent's id
   */
  readonly nameOf?: ReportNames["nameOf"];
  /**
   * The public name of a model. Other names are not shown.
   * @default none has one
   */
  readonly modelOf?: ReportNames["modelOf"];
  /** Decides whether a run is part of the report. */
  readonly accepts: (run: RunRecord, id: string, file: FoundFile) => boolean;
}

/** A run in the report, with the file it came from. */
export interface ReportedRun {
  readonly id: string;
  readonly record: RunRecord;
  readonly file: FoundFile;
  /** Index among the runs of its file. */
  readonly place: number;
  /** How many earlier runs in the file have the same name. */
  readonly before: number;
}

/** Builds a report from file records. You can build at any time, with the files added so far. */
export interface ReportBuilder {
  add(file: FoundFile, record: FileRecord): void;
  /** `stopped` says how far the scan came, if it has not read everything. */
  build(now: number, stopped?: StoppedScan): Report;
  /** The accepted runs, ordered by file path rather than by the order in which they were added. */
  runs(): readonly ReportedRun[];
  faults(): number;
  /** Paths that were not read, files that could not be read to their end, and the number of lines that are too long. */
  skipped(): {
    readonly passedOver: readonly PassedOver[];
    readonly broken: readonly { readonly path: string; readonly fault: string }[];
    readonly longLines: number;
    /** The files with lines that could not be read, those that are too long included. */
    readonly oddFiles: readonly { readonly path: string; readonly lines: number }[];
  };
}

/** Limit on the steps of all runs in a report, about 10 MB. The runs with the most expensive loops come first. */
const MAX_STEPS = 60_000;

export function createReportBuilder(options: ReportOptions): ReportBuilder {
  const { nameOf = (agent) => agent, modelOf = () => undefined } = options;
  const added: AddedRun[] = [];
  let [lines, long] = [0, 0];
  const passedOver = [...(options.passedOver ?? [])];
  const broken: { path: string; fault: string }[] = [];
  const oddFiles: { path: string; lines: number }[] = [];

  return {
    runs: () => dedupeRuns(added).map(({ id, record, file, place, before }) => ({ id, record, file, place, before })),
    skipped: () => ({
      passedOver,
      longLines: long,
      broken: [...broken].sort(byPath),
      oddFiles: [...oddFiles].sort(byPath),
    }),
    faults: () => added.reduce((sum, { record }) => sum + record.faults, 0),
    add(file, { runs: found, steps, skippedLines, longLines, agent, isOld, fault }) {
      lines += skippedLines;
      if (skippedLines > 0) oddFiles.push({ path: file.path, lines: skippedLines });
      long += longLines;
      if (fault !== null) broken.push({ path: file.path, fault });
      // An empty file is a session that was only started, so nothing is missing from the report.
      else if (agent === null && file.size > 0) passedOver.push({ path: file.path, reason: isOld ? "old" : "unknown" });
      found.forEach((record, place) => {
        if (!options.accepts(record, sessionId(record), file)) return;
        added.push({ record, file, place, steps: options.hasSteps ? steps[place] : undefined });
      });
    },
    build(now, stopped) {
      const runs = dedupeRuns(added);
      const stepsOf = new Map(runs.map(({ id, steps }) => [id, steps]));
      const all = runs.flatMap(({ id, record }) => loopsOf(id, record));
      const rank = rankBySpending(all);
      all.sort((one, other) => rank(other) - rank(one) || byCalls(one, other));
      const loops = all.filter(({ isPossible }) => !isPossible);
      const possibleLoops = all.filter(({ isPossible }) => isPossible);
      return {
        version: 1,
        generatedAt: new Date(now).toISOString(),
        generator: {
          name: "doomloop",
          version: options.version,
          preset: options.preset,
          config: options.config ?? null,
        },
        range: { since: isoTime(options.since), until: isoTime(options.until) },
        includesContent: options.includesContent,
        pricesAsOf: runs.some(({ record }) => isPriced(record)) ? options.pricesAsOf : null,
        totals: totalsOf(runs, loops),
        repeated: repeatedIn(runs),
        sessions: runs.map((run) => sessionOf(run, { nameOf, modelOf })).sort(byTime),
        loops,
        possibleLoops,
        advice: adviceFor(loops),
        runs: chosenSteps([...loops, ...possibleLoops], stepsOf),
        skipped: skippedOf(lines, broken.length, passedOver),
        stopped: stopped ?? null,
        ...(options.hooks && { hooks: options.hooks }),
      };
    },
  };
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}

/** Files finish in any order. */
function repeatedIn(runs: readonly Pick<ReportedRun, "id" | "record">[]): Report["repeated"] {
  const ordered = runs.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return mostRepeated(ordered.flatMap(({ id, record }) => record.repeated.map((call) => ({ ...call, session: id }))));
}

function isPriced({ costFrom }: RunRecord): boolean {
  return costFrom === "priced" || costFrom === "estimated";
}

function skippedOf(lines: number, broken: number, passedOver: readonly PassedOver[]): Report["skipped"] {
  const folders = passedOver.filter(isFolder).length;
  return { lines, files: passedOver.length - folders + broken, folders };
}

function loopsOf(session: string, { loops }: RunRecord): LoopSummary[] {
  return loops.map((loop, at) => ({
    id: `${session}-${at + 1}`,
    session,
    kind: loop.kind,
    tools: loop.tools,
    what: loop.what,
    count: loop.count,
    period: loop.period,
    weight: loop.weight,
    confidence: loop.confidence,
    areEqual: loop.areEqual,
    cause: loop.cause,
    isPossible: loop.isPossible,
    // Records count calls from 0, reports from 1.
    onset: loop.onset + 1,
    end: loop.end + 1,
    calls: loop.calls.map(([first, last]) => [first + 1, last + 1] as const),
    decisions: loop.decisions.filter(isAnswer).map(({ call, action }) => ({ call: call + 1, action })),
    // A preset that only reports takes no action.
    decided: loop.decisions.some(isAnswer) ? loop.decided : 0,
    uncounted: loop.uncounted.map(({ call, reason }) => ({ call: call + 1, reason })),
    at: isoTime(loop.at ?? undefined),
    afterOnset: loop.afterOnset,
  }));
}

/** A preset that only reports decides `continue`. */
function isAnswer(decision: LoopRecord["decisions"][number]): decision is LoopSummary["decisions"][number] {
  return decision.action !== "continue";
}

function chosenSteps(
  loops: readonly LoopSummary[],
  stepsOf: ReadonlyMap<string, StepRecord | undefined>,
): Record<string, RunSteps> {
  const chosen: Record<string, RunSteps> = {};
  let count = 0;
  for (const { session } of loops) {
    const record = stepsOf.get(session);
    if (record === undefined || session in chosen || count + record.steps.length > MAX_STEPS) continue;
    count += record.steps.length;
    chosen[session] = { from: record.steps[0]?.call ?? 1, total: record.total, steps: numbered(record.steps) };
  }
  return chosen;
}

/**
 * Replaces the hashes of calls and outcomes with running numbers. With hashes, a reader of the report could guess an
 * argument and check the guess.
 */
function numbered(steps: readonly ReportStep[]): readonly ReportStep[] {
  const [calls, outcomes] = [new Map<string, string>(), new Map<string, string>()];
  const nameIn = (known: Map<string, string>, hash: string, letter: string): string => {
    const name = known.get(hash) ?? `${letter}${known.size + 1}`;
    known.set(hash, name);
    return name;
  };
  return steps.map((step) => ({
    ...step,
    same: nameIn(calls, step.same, "c"),
    outcome: step.outcome === null ? null : nameIn(outcomes, step.outcome, "r"),
  }));
}

function byCalls(one: LoopSummary, other: LoopSummary): number {
  return other.afterOnset.calls - one.afterOnset.calls || other.count - one.count || (one.id < other.id ? -1 : 1);
}

/**
 * Why something was not read. `unknown`: no reader recognises the file. `old`: its format is no longer read. `link`: it leads out of its folder. `special`:
 * a pipe, a socket or a device. `closed`: no permission. `deep`: nested too deeply. `many`: the folder holds more files
 * than the limit.
 */
export type PassedReason = "unknown" | "old" | "link" | "special" | "closed" | "deep" | "many";

/** Something that the scan found and did not read. */
export interface PassedOver {
  readonly path: string;
  readonly reason: PassedReason;
}

/** Whether a whole folder was skipped, rather than one file. */
export function isFolder({ reason }: PassedOver): boolean {
  return reason === "closed" || reason === "deep" || reason === "many";
}
