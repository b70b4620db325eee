import type { CommandStreams } from "../commands/command-streams.ts";
import { createProgress } from "../terminal/progress.ts";
import { untilInterrupted } from "../terminal/until-interrupted.ts";
import { UsageError } from "../usage-error.ts";
import type { ReportedRun } from "./report-builder.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "./run-scan.ts";
import { createScanProgress } from "./scan-progress.ts";

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
  if (runs.length === 0) throw new UsageError(`no session ${name} found; doomloop scan prints their ids`);
  const called = runs.filter(({ record }) => record.run === name);
  const candidates = [runs.filter(({ id }) => id === name), called, runs].find(({ length }) => length > 0)!;
  const [only, ...others] = candidates;
  if (others.length === 0) return only!;
  const named = candidates.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = candidates.length > MAX_NAMED ? " and others" : "";
  const are = candidates === called ? "are called" : "begin with";
  throw new UsageError(`${candidates.length} sessions ${are} ${name}: ${named.join(", ")}${more}`);
}
