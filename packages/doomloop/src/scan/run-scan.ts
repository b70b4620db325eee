import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { packageVersion } from "../system/package-folder.ts";
import { stateFolder } from "../system/state-folder.ts";
import { readFault, UsageError } from "../system/usage-error.ts";
import { readRegularFile } from "../transcripts/open-regular-file.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { chooseOptions, configFor } from "./config.ts";
import { PRICE_LIST } from "./costs/price-list.ts";
import { type FoundFile, type FoundFiles, findAt, findOnMachine } from "./find-transcripts.ts";
import { loadReaders } from "./load-readers.ts";
import { readHookTally } from "./read-hook-tally.ts";
import type { HookTally } from "./report/report.ts";
import { createReportBuilder, type ReportBuilder } from "./report-builder.ts";
import type { RunRecord } from "./run-record.ts";
import { cacheFolder, openScanCache } from "./scan-cache.ts";
import type { ScanOrder } from "./scan-file.ts";
import { scanFiles } from "./scan-files.ts";
import type { TimeRange } from "./time-range.ts";

/** Which runs to look at. */
interface ScanChoice {
  readonly range: TimeRange;
  readonly agent?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly session?: string | undefined;
  readonly format?: string | undefined;
  readonly reader?: readonly string[] | undefined;
}

interface ScanManner extends Pick<ScanChoice, "format" | "reader"> {
  readonly preset?: string | undefined;
  readonly config?: string | false | undefined;
  readonly cost?: boolean | undefined;
  readonly includeContent?: boolean | undefined;
}

/** Tells how far a scan has got, in bytes. */
export type ScanProgress = (read: number, total: number) => void;

/** Which runs to scan, and how. */
export interface RunScanOptions extends ScanChoice, ScanManner {
  readonly cache?: boolean | undefined;
  /** Steps of runs with loops are wanted. */
  readonly hasSteps: boolean;
  readonly signal: AbortSignal;
  /** Told how many bytes are read, of how many. */
  readonly onProgress?: ScanProgress | undefined;
  /** Given, before anything is read, what the report is built with: a report of what was found so far can be had at any time. */
  readonly onStart?: ((found: FoundSoFar) => void) | undefined;
}

export interface FoundSoFar {
  readonly builder: ReportBuilder;
  readonly readers: readonly TranscriptReader[];
}

export interface RunScanResult extends FoundSoFar {
  /** Files that were read to their end, and files that there were. */
  readonly done: number;
  readonly files: number;
  /** Where the files lie that were looked at. */
  readonly paths: readonly string[];
}

/** Finds transcripts, on the machine or at paths, and scans them. Throws a `UsageError` for what the user got wrong. */
export async function runScan(paths: readonly string[], options: RunScanOptions): Promise<RunScanResult> {
  const { range, hasSteps, signal, onProgress } = options;
  const order = orderOf(options);
  const guardOptions = await chooseOptions(order.preset, order.config);
  const { files, passedOver, readers } = await findFiles(paths, options, signal);
  const builder = createReportBuilder({
    version: packageVersion(),
    preset: order.preset ?? guardOptions.preset ?? "balanced",
    config: order.config === undefined ? undefined : relative(process.cwd(), resolve(order.config)),
    since: range.since,
    until: range.until,
    includesContent: order.includesContent,
    pricesAsOf: order.hasCosts ? PRICE_LIST.asOf : null,
    hasSteps,
    passedOver,
    hooks: hookTally(paths, options),
    nameOf: (agent) => readers.find((reader) => reader.agent === agent)?.label ?? agent,
    accepts: (run, id, file) => isWanted(run, id, file, options),
  });
  options.onStart?.({ builder, readers });
  let done = 0;
  // Content is never kept beyond the report that was asked for.
  const isCached = options.cache !== false && !order.includesContent;
  const cache = isCached
    ? openScanCache(cacheFolder(process.env, process.platform), packageVersion(), saltOf(order))
    : undefined;
  await scanFiles(files, {
    order,
    readers,
    guardOptions,
    cache,
    signal,
    onProgress,
    onFile(file, record, isWhole) {
      if (isWhole) done++;
      // Of a file that was given up nothing is known.
      if (isWhole || record.agent !== null) builder.add(file, record);
    },
  });
  return { builder, readers, done, files: files.length, paths: files.map(({ path }) => path) };
}

/** Hooks count for the machine: what they said in some of its runs nobody can tell. */
function hookTally(paths: readonly string[], { range, agent, project, session }: ScanChoice): HookTally | undefined {
  if (paths.length > 0 || agent !== undefined || project !== undefined || session !== undefined) return undefined;
  return readHookTally(stateFolder({ env: process.env, platform: process.platform }), range);
}

/**
 * The files that a command is about, and the readers for them. Throws a `UsageError` for a path or a name that is none.
 *
 * Ends early, with what was found up to then, when the signal says so.
 */
async function findFiles(
  paths: readonly string[],
  options: ScanChoice,
  signal: AbortSignal = new AbortController().signal,
): Promise<FoundFiles & { readonly readers: readonly TranscriptReader[] }> {
  const readers = await loadReaders(options.reader ?? []);
  checkNames(readers, options);
  const wanted = options.agent === undefined ? readers : readers.filter(({ agent }) => options.agent!.includes(agent));
  const found: FoundFiles[] = [];
  if (paths.length === 0) found.push(await onMachine(wanted, signal));
  for (const path of paths) found.push(await at(path, readers, signal));
  const { since } = options.range;
  const unique = new Map(found.flatMap(({ files }) => files).map((file) => [file.path, file]));
  const passed = new Map(found.flatMap(({ passedOver }) => passedOver).map((each) => [each.path, each]));
  return {
    readers,
    files: [...unique.values()].filter(({ modifiedMs }) => since === undefined || modifiedMs >= since),
    passedOver: [...passed.values()],
  };
}

/** How to scan, as a thread can be told. */
function orderOf(options: ScanManner): ScanOrder {
  return {
    preset: options.preset,
    config: configFor(options.config),
    readerModules: options.reader ?? [],
    format: options.format,
    hasCosts: options.cost !== false,
    includesContent: options.includeContent === true,
  };
}

const MAX_MODULE = 16_777_216;

/** What changes the outcome of a scan, files apart: names of modules do not tell what stands in them. */
function saltOf(order: ScanOrder): unknown {
  const modules = [...order.readerModules, ...(order.config === undefined ? [] : [order.config])];
  return { ...order, contents: modules.map((path) => readRegularFile(path, MAX_MODULE)?.toString("utf8")) };
}

function onMachine(readers: readonly TranscriptReader[], signal: AbortSignal): Promise<FoundFiles> {
  return findOnMachine(readers, { home: homedir(), env: process.env, platform: process.platform }, signal);
}

async function at(path: string, readers: readonly TranscriptReader[], signal: AbortSignal): Promise<FoundFiles> {
  try {
    return await findAt(path, readers, signal);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
}

function checkNames(readers: readonly TranscriptReader[], { agent = [], format }: ScanChoice): void {
  const known = readers.map((reader) => reader.agent);
  const check = (option: string, name: string): void => {
    if (!known.includes(name)) throw new UsageError(`${option}: one of ${known.join(", ")} is required, got ${name}`);
  };
  for (const name of agent) check("--agent", name);
  if (format !== undefined) check("--format", format);
}

/** Whether a run is one of those that were asked for. Where it bears no time, its file's counts. */
function isWanted(run: RunRecord, id: string, file: FoundFile, options: ScanChoice): boolean {
  const { range, agent, project, session } = options;
  const end = run.endedAt ?? run.startedAt ?? file.modifiedMs;
  const start = run.startedAt ?? end;
  if (range.since !== undefined && end < range.since) return false;
  if (range.until !== undefined && start > range.until) return false;
  if (agent !== undefined && !agent.includes(run.agent)) return false;
  if (project !== undefined && !(run.project ?? "").toLowerCase().includes(project.toLowerCase())) return false;
  return session === undefined || isSession(session, run, id);
}

/** A session is named by its short id, its own name, or the beginning of either. */
function isSession(name: string, { run }: RunRecord, id: string): boolean {
  return name !== "" && (id.startsWith(name) || run.startsWith(name) || name.startsWith(`${id}-`));
}
