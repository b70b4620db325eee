import { relative, resolve } from "node:path";
import { readLog } from "../agents/hook/intervention-log.ts";
import { homeFolder } from "../system/home-folder.ts";
import { packageVersion } from "../system/package-folder.ts";
import { stateFolder } from "../system/state-folder.ts";
import { toUsageError, UsageError } from "../system/usage-error.ts";
import { readRegularFile } from "../transcripts/open-regular-file.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { chooseOptions, configFor } from "./config.ts";
import { PRICE_LIST } from "./costs/model-rates.ts";
import { createPublicModels } from "./costs/price-list.ts";
import { mainRuns, sessionId } from "./dedupe-runs.ts";
import { type FoundFile, type FoundFiles, findAt, findOnMachine } from "./find-transcripts.ts";
import { loadReaders } from "./load-readers.ts";
import type { HookTally, StoppedScan } from "./report/report.ts";
import { createReportBuilder, type ReportBuilder } from "./report-builder.ts";
import type { RunRecord } from "./run-record.ts";
import { cacheFolder, openScanCache } from "./scan-cache.ts";
import type { ScanOrder } from "./scan-file.ts";
import { scanFiles } from "./scan-files.ts";
import type { TimeRange } from "./time-range.ts";

/** Selects the runs to scan. */
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

/** Receives the progress of a scan, in bytes. */
export type ScanProgress = (read: number, total: number) => void;

/** Which runs to scan, and how. */
export interface RunScanOptions extends ScanChoice, ScanManner {
  readonly cache?: boolean | undefined;
  /** Whether to keep the steps of runs with loops. */
  readonly hasSteps: boolean;
  readonly signal: AbortSignal;
  /** Called with the bytes read so far and the bytes in total. */
  readonly onProgress?: ScanProgress | undefined;
}

export interface RunScanResult {
  readonly builder: ReportBuilder;
  /** How many files were read to their end so far, of how many. */
  reading(): StoppedScan;
  readonly readers: readonly TranscriptReader[];
  /** How many sessions of the time range do not match the agents, the project or the session asked for, so far. */
  unmatched(): number;
  /** The paths of all files that were found. */
  readonly paths: readonly string[];
}

/** Finds transcripts, on this machine or at the given paths, and scans them. Throws a `UsageError` for wrong input. */
export async function runScan(paths: readonly string[], options: RunScanOptions): Promise<RunScanResult> {
  const { range, hasSteps, signal, onProgress } = options;
  const order = orderOf(options);
  const guardOptions = await chooseOptions(order.preset, order.config);
  const { files, passedOver, readers } = await findFiles(paths, options, signal);
  const unmatched = new Map<string, RunName>();
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
    modelOf: createPublicModels(),
    accepts(run, id, file) {
      if (!isInRange(run, file, options)) return false;
      if (isChosen(run, id, options)) return true;
      unmatched.set(id, { agent: run.agent, run: run.run, parent: run.parent });
      return false;
    },
  });
  let done = 0;
  const reading = (): StoppedScan => ({ read: done, files: files.length });
  // Content never goes into the cache.
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
      // A file that was abandoned has no record.
      if (isWhole || record.agent !== null) builder.add(file, record);
    },
  });
  return {
    ...{ builder, readers, reading, unmatched: () => countSessions(unmatched) },
    paths: files.map(({ path }) => path),
  };
}

type RunName = Pick<RunRecord, "agent" | "run" | "parent">;

/** The number of main agents, each together with its subagents. */
function countSessions(runs: ReadonlyMap<string, RunName>): number {
  const mains = mainRuns(
    [...runs].map(([id, record]) => ({ id, record })),
    sessionId,
  );
  return new Set([...mains].map(([id, main]) => main ?? id)).size;
}

/** The scan options in the form that worker threads receive. */
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

/** The hooks' counts cover the whole machine. They cannot be split by run, agent or project. */
function hookTally(paths: readonly string[], { range, agent, project, session }: ScanChoice): HookTally | undefined {
  if (paths.length > 0 || agent !== undefined || project !== undefined || session !== undefined) return undefined;
  return readHookTally(stateFolder({ env: process.env, platform: process.platform }), range);
}

/**
 * The files to scan, and the readers for them. Throws a `UsageError` for an invalid path or name.
 *
 * When the signal aborts, it returns what was found so far.
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
  const machine = { home: homeFolder(), env: process.env, platform: process.platform };
  if (paths.length === 0) found.push(await findOnMachine(wanted, machine, signal));
  for (const path of paths) found.push(await findAt(path, readers, signal).catch(toUsageError(`cannot read ${path}`)));
  const { since } = options.range;
  const unique = new Map(found.flatMap(({ files }) => files).map((file) => [file.path, file]));
  const passed = new Map(found.flatMap(({ passedOver }) => passedOver).map((each) => [each.path, each]));
  return {
    readers,
    files: [...unique.values()].filter(({ modifiedMs }) => since === undefined || modifiedMs >= since),
    passedOver: [...passed.values()],
  };
}

function checkNames(readers: readonly TranscriptReader[], { agent = [], format }: ScanChoice): void {
  const known = readers.map((reader) => reader.agent);
  const check = (option: string, name: string): void => {
    if (!known.includes(name)) throw new UsageError(`${option}: expected one of ${known.join(", ")}, got ${name}`);
  };
  for (const name of agent) check("--agent", name);
  if (format !== undefined) check("--format", format);
}

const MAX_MODULE = 16_777_216;

/**
 * Everything besides the scanned files that affects the result. Includes the content of modules, because their paths do
 * not change when they are edited.
 */
function saltOf(order: ScanOrder): unknown {
  const modules = [...order.readerModules, ...(order.config === undefined ? [] : [order.config])];
  return { ...order, contents: modules.map((path) => readRegularFile(path, MAX_MODULE)?.toString("utf8")) };
}

/** Whether a run is of the time asked for. A run without a time uses the time of its file. */
function isInRange(run: RunRecord, file: FoundFile, options: ScanChoice): boolean {
  const { range } = options;
  const end = run.endedAt ?? run.startedAt ?? file.modifiedMs;
  const start = run.startedAt ?? end;
  if (range.since !== undefined && end < range.since) return false;
  return range.until === undefined || start <= range.until;
}

function isChosen(run: RunRecord, id: string, { agent, project, session }: ScanChoice): boolean {
  if (agent !== undefined && !agent.includes(run.agent)) return false;
  if (project !== undefined && !(run.project ?? "").toLowerCase().includes(project.toLowerCase())) return false;
  return session === undefined || isSession(session, run, id);
}

/** Matches a session by its short id, its full name, or the beginning of either. */
function isSession(name: string, { run }: RunRecord, id: string): boolean {
  return name !== "" && (id.startsWith(name) || run.startsWith(name) || name.startsWith(`${id}-`));
}

/** A line never reports the result of more nudges than this. */
const MAX_NUDGES = 100;
const COUNTED: ReadonlyMap<string, keyof HookTally> = new Map([
  ["words", "words"],
  ["question", "questions"],
  ["refusal", "refusals"],
  ["end", "ends"],
  ["allowed", "allowed"],
]);

/** Adds up what hooks said in a range of time, and what became of it. Undefined if they said nothing. */
export function readHookTally(state: string, range: Pick<TimeRange, "since" | "until">): HookTally | undefined {
  const entries = readLog(state, range.since, range.until).filter(({ said }) => said !== "opinion");
  const tally = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };
  for (const { said, times = 1, obeyed = 0, ignored = 0 } of entries) {
    const counted = COUNTED.get(said);
    if (counted !== undefined) tally[counted] += times;
    tally.obeyed += Math.min(obeyed, MAX_NUDGES);
    tally.ignored += Math.min(ignored, MAX_NUDGES);
  }
  return entries.length > 0 ? tally : undefined;
}
