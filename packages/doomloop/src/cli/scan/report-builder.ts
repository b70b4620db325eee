import { basename, win32 } from "node:path";
import { sumAmounts } from "./costs/sum-amounts.ts";
import type { FoundFile } from "./find-transcripts.ts";
import { isoTime } from "./iso-time.ts";
import type { HookTally, LoopSummary, Report, RunSteps, SessionSummary, Totals } from "./report.ts";
import type { FileRecord, LoopRecord, RunRecord, StepRecord } from "./run-record.ts";
import { type AddedRun, sessionId, settleRuns } from "./settle-runs.ts";
import { uniqueName } from "./unique-name.ts";

export interface ReportOptions {
  readonly version: string;
  readonly preset: string;
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly includesContent: boolean;
  readonly pricesAsOf: string | null;
  /** Steps are kept, for the page and for programs. */
  readonly hasSteps: boolean;
  /**
   * What hooks have counted.
   * @default nothing
   */
  readonly hooks?: HookTally | undefined;
  /**
   * In an agent's own folder lies much that is no transcript, and nobody asked about it.
   * @default false
   */
  readonly ignoresUnknown?: boolean;
  /** Which runs are looked at. */
  readonly accepts: (run: RunRecord, id: string, file: FoundFile) => boolean;
}

/** A run in the report, and the file that it came from. */
export interface ReportedRun {
  readonly id: string;
  readonly record: RunRecord;
  readonly file: FoundFile;
}

/** Puts together what files hold. A report can be built at any time, of what was added up to then. */
export interface ReportBuilder {
  add(file: FoundFile, record: FileRecord): void;
  build(now: number): Report;
  /** The runs that were asked for, in the order of their files, whatever the order in which they were added. */
  runs(): readonly ReportedRun[];
  faults(): number;
  /** Files that no reader knows, and those that break off. */
  skipped(): { readonly unknown: number; readonly broken: readonly BrokenFile[] };
}

interface BrokenFile {
  readonly path: string;
  readonly fault: string;
}

const LOOP_DIGITS = 6;
/** Steps in all runs of a report: some 10 MB. The runs with the dearest loops come first. */
const MAX_STEPS = 60_000;

export function createReportBuilder(options: ReportOptions): ReportBuilder {
  const added: AddedRun[] = [];
  let lines = 0;
  let unknown = 0;
  const broken: BrokenFile[] = [];

  return {
    runs: () => settleRuns(added).map(({ id, record, file }) => ({ id, record, file })),
    skipped: () => ({ unknown, broken: [...broken].sort((one, other) => (one.path < other.path ? -1 : 1)) }),
    faults: () => added.reduce((sum, { record }) => sum + record.faults, 0),
    add(file, { runs: found, steps, skippedLines, agent, fault }) {
      lines += skippedLines;
      if (fault !== null) broken.push({ path: file.path, fault });
      else if (agent === null && options.ignoresUnknown !== true) unknown++;
      found.forEach((record, place) => {
        if (!options.accepts(record, sessionId(record), file)) return;
        added.push({ record, file, place, steps: options.hasSteps ? steps[place] : undefined });
      });
    },
    build(now) {
      const runs = settleRuns(added);
      const stepsOf = new Map(runs.map(({ id, steps }) => [id, steps]));
      const loops = runs.flatMap(({ id, record }) => loopsOf(id, record)).sort(byCost);
      return {
        version: 1,
        generatedAt: new Date(now).toISOString(),
        generator: { name: "doomloop", version: options.version, preset: options.preset },
        range: { since: isoTime(options.since), until: isoTime(options.until) },
        includesContent: options.includesContent,
        pricesAsOf: runs.some(({ record }) => record.costUsd !== null) ? options.pricesAsOf : null,
        totals: totalsOf(runs, loops),
        sessions: runs.map(sessionOf).sort(byTime),
        loops,
        runs: chosenSteps(loops, stepsOf),
        skipped: { lines, files: unknown + broken.length },
        ...(options.hooks && { hooks: options.hooks }),
      };
    },
  };
}

function loopsOf(session: string, { loops }: RunRecord): LoopSummary[] {
  const used = new Set<string>();
  return loops.map((loop) => ({
    id: uniqueName(used, `${session}-${loop.loop.slice(0, LOOP_DIGITS)}`),
    session,
    kind: loop.kind,
    tools: loop.tools,
    what: loop.what,
    count: loop.count,
    period: loop.period,
    confidence: loop.confidence,
    onset: loop.onset,
    end: loop.end,
    decisions: loop.decisions.filter(isAnswer),
    uncounted: loop.uncounted,
    at: isoTime(loop.at ?? undefined),
    afterOnset: loop.afterOnset,
  }));
}

/** A preset that only reports says `continue`. */
function isAnswer(decision: LoopRecord["decisions"][number]): decision is LoopSummary["decisions"][number] {
  return decision.action !== "continue";
}

function sessionOf({ id, record, file }: ReportedRun): SessionSummary {
  const { agent, project, model, startedAt, endedAt, calls, tokens, costUsd, loops } = record;
  return {
    id,
    agent,
    project: project === null ? null : folderName(project),
    model,
    startedAt: isoTime(startedAt ?? undefined),
    endedAt: isoTime(endedAt ?? file.modifiedMs),
    isFileTime: endedAt === null,
    calls,
    tokens,
    costUsd,
    loops: loops.length,
  };
}

/** The last part of a path, whichever system wrote it. */
function folderName(path: string): string {
  return basename(win32.basename(path)) || path;
}

function totalsOf(runs: readonly ReportedRun[], loops: readonly LoopSummary[]): Totals {
  // Files are done in any order, and the sum of fractions depends on it.
  const records = [...runs].sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ record }) => record);
  const loopsByKind: Record<string, number> = {};
  for (const { kind } of loops) loopsByKind[kind] = (loopsByKind[kind] ?? 0) + 1;
  const unpriced = records.filter(({ tokens, costUsd }) => tokens !== null && tokens.high > 0 && costUsd === null);
  return {
    sessions: records.length,
    sessionsWithLoops: records.filter((record) => record.loops.length > 0).length,
    calls: records.reduce((sum, { calls }) => sum + calls, 0),
    loops: loops.length,
    loopsByKind,
    tokens: sumAmounts(records.map(({ tokens }) => tokens)),
    costUsd: sumAmounts(records.map(({ costUsd }) => costUsd)),
    unpricedSessions: unpriced.length,
    afterOnset: {
      calls: records.reduce((sum, { afterOnset }) => sum + afterOnset.calls, 0),
      tokens: sumAmounts(records.map(({ afterOnset }) => afterOnset.tokens)),
      costUsd: sumAmounts(records.map(({ afterOnset }) => afterOnset.costUsd)),
    },
  };
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
    chosen[session] = { from: record.steps[0]?.call ?? 0, total: record.total, steps: record.steps };
  }
  return chosen;
}

function byCost(one: LoopSummary, other: LoopSummary): number {
  return (
    (other.afterOnset.costUsd?.high ?? -1) - (one.afterOnset.costUsd?.high ?? -1) ||
    (other.afterOnset.tokens?.high ?? -1) - (one.afterOnset.tokens?.high ?? -1) ||
    other.afterOnset.calls - one.afterOnset.calls ||
    other.count - one.count ||
    (one.id < other.id ? -1 : 1)
  );
}

/** The latest first. */
function byTime(one: SessionSummary, other: SessionSummary): number {
  const [earlier, later] = [one.startedAt ?? one.endedAt ?? "", other.startedAt ?? other.endedAt ?? ""];
  if (earlier !== later) return earlier < later ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}
