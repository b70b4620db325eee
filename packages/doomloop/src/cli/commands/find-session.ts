import { chooseOptions, configFor } from "../../scan/config.ts";
import { count } from "../../scan/report/words.ts";
import type { ReportedRun } from "../../scan/report-builder.ts";
import type { FileRecord } from "../../scan/run-record.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "../../scan/run-scan.ts";
import { scanFile } from "../../scan/scan-file.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { untilInterrupted } from "../terminal/interruption.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { createProgress, createScanProgress } from "../terminal/progress.ts";

export type FindSessionOptions = Pick<
  RunScanOptions,
  "format" | "reader" | "preset" | "config" | "cost" | "cache" | "includeContent"
>;

/** The session with the given name, and the scan that found it. */
export interface FoundSession {
  readonly run: ReportedRun;
  readonly result: RunScanResult;
}

const MAX_NAMED = 8;
const ALL_TIMES = { since: undefined, until: undefined, words: "all time" };

/**
 * Finds the session with this id, name or loop id, on this machine or at the given paths. Throws a `UsageError` if
 * there is none, or more than one. Undefined if the user interrupted the search.
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

/** Whether a name is the id of a loop in the run. */
function hasLoop({ id, record }: ReportedRun, name: string): boolean {
  return record.loops.some((_, at) => name === `${id}-${at + 1}`);
}

/** Copies of a session and loops in a session both get a number, so their ids may be the same. */
function bothWords(name: string, own: ReportedRun, looping: ReportedRun): string {
  const session = `a session in ${own.file.path} (for it, pass only that file and ${own.id.replace(/-\d+$/, "")}`;
  return `${name} is ambiguous: ${session}), and a loop of a session in ${looping.file.path} (for it, pass ${looping.id})`;
}

function noneWords(name: string, runs: readonly ReportedRun[]): string {
  const meant = runs.find(({ id }) => name.startsWith(`${id}-`));
  if (meant === undefined) return `no session ${name} found; doomloop scan prints their ids`;
  return `no loop ${name} found: session ${meant.id} has ${count(meant.record.loops.length, "loop")}`;
}

interface ReadSessionOptions {
  readonly preset?: string | undefined;
  readonly config?: string | false | undefined;
  readonly cost?: boolean | undefined;
  readonly includesContent: boolean;
}

/** One session as it is in its file, with all of its steps. */
export interface ReadSession {
  readonly record: FileRecord;
  readonly reader: TranscriptReader;
  /** Which of the file's runs it is. */
  readonly place: number;
}

/** Reads one session again. The scan keeps only the steps around loops, and nothing of their content. */
export async function readSession(
  { record, file, before }: ReportedRun,
  readers: readonly TranscriptReader[],
  options: ReadSessionOptions,
): Promise<ReadSession> {
  const reader = readers.find(({ agent }) => agent === record.agent)!;
  const read = await scanFile(file.path, reader, {
    guardOptions: await chooseOptions(options.preset, configFor(options.config)),
    hasCosts: options.cost !== false,
    includesContent: options.includesContent,
    onlyRun: record.run,
  });
  // A file may contain several runs with the same name, and all of them were read.
  return { record: read, reader, place: Math.min(before, read.runs.length - 1) };
}

/**
 * Whether a command shows arguments and results: on the user's own terminal, or if the user asks for it. Pipes and files
 * may end up with somebody else.
 */
export function showsContent(
  options: { readonly includeContent?: boolean | undefined; readonly content?: boolean },
  width: number | undefined,
): boolean {
  return options.includeContent === true || (width !== undefined && options.content !== false);
}
