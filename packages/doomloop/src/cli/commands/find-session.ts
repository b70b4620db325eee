import { count } from "../../scan/report/words.ts";
import type { ReportedRun } from "../../scan/report-builder.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "../../scan/run-scan.ts";
import { UsageError } from "../../system/usage-error.ts";
import { untilInterrupted } from "../terminal/interruption.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { createProgress, createScanProgress } from "../terminal/progress.ts";

export type FindSessionOptions = Pick<
  RunScanOptions,
  "format" | "reader" | "preset" | "config" | "cost" | "cache" | "includeContent"
>;

/** The one session that a name means, and the scan that found it. */
export interface FoundSession {
  readonly run: ReportedRun;
  readonly result: RunScanResult;
}

const MAX_NAMED = 8;
const ALL_TIMES = { since: undefined, until: undefined, words: "all times" };

/**
 * Finds the session that is named by its id, a loop's id or its own name, on the machine or at paths. Throws a `UsageError` where there is none, or several;
 * undefined if somebody ended it before it was found.
 */
export async function findSession(
  session: string,
  paths: readonly string[],
  options: FindSessionOptions,
  { messages }: Pick<CommandStreams, "messages">,
): Promise<FoundSession | undefined> {
  const progress = createProgress(messages, () => performance.now());
  const onProgress = createScanProgress(progress, () => performance.now());
  const search = { ...options, includeContent: false, session, range: ALL_TIMES, hasSteps: false, onProgress };
  const { result, isInterrupted } = await untilInterrupted((signal) => runScan(paths, { ...search, signal })).finally(
    () => progress.clear(),
  );
  if (!isInterrupted) return { run: onlyOne(session, result.builder.runs()), result };
  messages.write("doomloop: stopped early\n");
  return undefined;
}

function onlyOne(name: string, runs: readonly ReportedRun[]): ReportedRun {
  const [own, looping] = [runs.find(({ id }) => id === name), runs.find((run) => hasLoop(run, name))];
  if (own !== undefined && looping !== undefined) throw new UsageError(bothWords(name, own, looping));
  if (own !== undefined || looping !== undefined) return (own ?? looping)!;
  const called = runs.filter(({ record }) => record.run === name);
  const beginning = runs.filter(({ id, record }) => id.startsWith(name) || record.run.startsWith(name));
  const candidates = called.length > 0 ? called : beginning;
  const [only, ...others] = candidates;
  if (only === undefined) throw new UsageError(noneWords(name, runs));
  if (others.length === 0) return only;
  const named = candidates.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = candidates.length > MAX_NAMED ? " and others" : "";
  const are = candidates === called ? "are called" : "begin with";
  throw new UsageError(`${candidates.length} sessions ${are} ${name}: ${named.join(", ")}${more}`);
}

/** Whether a name is that of a loop in a run, as the report has it. */
function hasLoop({ id, record }: ReportedRun, name: string): boolean {
  return record.loops.some((_, at) => name === `${id}-${at + 1}`);
}

/** Copies of a session are told apart by a number, and so are the loops in one. */
function bothWords(name: string, own: ReportedRun, looping: ReportedRun): string {
  const session = `a session in ${own.file.path}, for which name that file alone and ${own.id.replace(/-\d+$/, "")}`;
  return `${name} is two things: ${session}; and a loop of a session in ${looping.file.path}, for which name ${looping.id}`;
}

function noneWords(name: string, runs: readonly ReportedRun[]): string {
  const meant = runs.find(({ id }) => name.startsWith(`${id}-`));
  if (meant === undefined) return `no session ${name} found; doomloop scan prints their ids`;
  return `no loop ${name} found: session ${meant.id} has ${count(meant.record.loops.length, "loop")}`;
}
