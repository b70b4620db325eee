import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { readFault } from "../read-fault.ts";
import { readTop } from "../read-top.ts";
import { scanAnnotations } from "../reporters/scan-annotations.ts";
import { scanJunit } from "../reporters/scan-junit.ts";
import { scanLines } from "../reporters/scan-lines.ts";
import { scanPage } from "../reporters/scan-page.ts";
import { scanSummary } from "../reporters/scan-summary.ts";
import { readFailOn } from "../scan/fail-on.ts";
import { openPage } from "../scan/open-page.ts";
import type { LoopSummary, Report } from "../scan/report.ts";
import { type FoundSoFar, type RunScanOptions, type RunScanResult, runScan } from "../scan/run-scan.ts";
import { createScanProgress } from "../scan/scan-progress.ts";
import { readTimeRange, type TimeRangeOptions } from "../scan/time-range.ts";
import { count } from "../terminal/count.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { printable } from "../terminal/printable.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/until-interrupted.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandStreams } from "./replay.ts";

export interface ScanOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Omit<RunScanOptions, "range" | "hasSteps" | "signal" | "onProgress" | "onStart"> {
  readonly top?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly html?: string;
  readonly open?: boolean;
  readonly junit?: string;
  readonly github?: boolean;
  readonly failOn?: readonly string[];
  readonly quiet?: boolean;
}

const FINE = 0;
const OUR_FAULT = 1;
const LOOPS_FOUND = 10;
const DEFAULT_LAST = "30d";
const DEFAULT_TOP = 5;
const WIDE = 120;
const MAX_BROKEN = 3;

/** Scans transcripts for loops and prints what they are and what they cost. Returns the exit code. */
export async function scan(paths: readonly string[], options: ScanOptions, streams: CommandStreams): Promise<number> {
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: DEFAULT_LAST } : {}) }, Date.now());
  const isFailing = readFailOn(options.failOn ?? []);
  const top = readTop(options.top, DEFAULT_TOP);
  const page = pagePath(options);
  const progress = createProgress(streams.messages, () => performance.now());
  const shown = { top, words: range.words, paths };
  let found: FoundSoFar | undefined;
  const findings = isForPeople(options) ? () => found && soFar(found, options, streams, shown) : undefined;
  const tell = createScanProgress(progress, () => performance.now(), { findings });
  const hasSteps = options.json === true || page !== undefined;
  const onProgress = options.quiet === true ? undefined : tell;
  const onStart = (started: FoundSoFar): void => {
    found = started;
  };
  const { result, isInterrupted } = await untilInterrupted((signal) =>
    runScan(paths, { ...options, range, hasSteps, signal, onProgress, onStart }),
  ).finally(() => progress.clear());

  const report = result.builder.build(Date.now());
  for (const line of noticesOf(report, result, isInterrupted)) streams.messages.write(`doomloop: ${line}\n`);
  await print(report, options, streams, { ...shown, readers: result.readers, isFailing });
  if (options.junit !== undefined)
    write(options.junit, scanJunit(report, options.failOn === undefined ? () => true : isFailing));
  if (page !== undefined) await showPage(page, report, options, streams);
  if (isInterrupted) return INTERRUPTED;
  if (result.builder.faults() > 0) return OUR_FAULT;
  return report.loops.some(isFailing) ? LOOPS_FOUND : FINE;
}

interface ShownOptions {
  readonly top: number;
  readonly words: string;
  readonly paths: readonly string[];
}

interface PrintOptions extends ShownOptions {
  readonly readers: readonly TranscriptReader[];
  readonly isFailing: (loop: LoopSummary) => boolean;
}

function isForPeople({ json, jsonl, github }: ScanOptions): boolean {
  return json !== true && jsonl !== true && github !== true;
}

/** What was found so far, for a terminal that shows the summary too and has room for it. Erased before the summary comes. */
function soFar(
  { builder, readers }: FoundSoFar,
  options: ScanOptions,
  streams: CommandStreams,
  shown: ShownOptions,
): string | undefined {
  const { rows = 0 } = streams.messages;
  if (streams.width === undefined) return undefined;
  const report = builder.build(Date.now());
  if (report.sessions.length === 0) return undefined;
  const summary = summaryOf(report, options, streams, { ...shown, readers });
  const text = `So far, the newest first:\n\n${summary}`;
  return text.split("\n").length < rows ? text : undefined;
}

async function print(
  report: Report,
  options: ScanOptions,
  streams: CommandStreams,
  given: PrintOptions,
): Promise<void> {
  const { output } = streams;
  if (options.json === true) return output.write(`${JSON.stringify(report)}\n`);
  if (options.jsonl === true) {
    for (const line of scanLines(report)) {
      if (output.isClosed) return;
      await output.write(line);
    }
    return;
  }
  if (options.github === true) await output.write(scanAnnotations(report, given.isFailing));
  await output.write(summaryOf(report, options, streams, given));
}

function summaryOf(
  report: Report,
  options: ScanOptions,
  streams: CommandStreams,
  given: Omit<PrintOptions, "isFailing">,
): string {
  const labels = new Map(given.readers.map(({ agent, label }) => [agent, label]));
  return scanSummary(report, {
    width: streams.width ?? WIDE,
    top: given.top,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    now: Date.now(),
    scope: given.words,
    labelOf: (agent) => labels.get(agent) ?? agent,
    isQuiet: options.quiet === true,
    hint:
      given.paths.length > 0
        ? "Is it a transcript? --format names the agent that wrote it."
        : `Try --last 1y, or name a file or folder: ${ownCommand(["scan", "runs.jsonl"], process.env)}`,
    showCommand: (session) => ownCommand(["show", session, ...given.paths, ...sourceWords(options)], process.env),
  });
}

/** The options by which another command reads the same files. */
function sourceWords({ format, reader = [] }: ScanOptions): readonly string[] {
  return [...(format === undefined ? [] : ["--format", format]), ...reader.flatMap((module) => ["--reader", module])];
}

/** What the reader of the summary should know about the scan itself. */
function* noticesOf(
  report: Report,
  { done, files, builder }: RunScanResult,
  isInterrupted: boolean,
): Generator<string> {
  if (isInterrupted) yield `stopped early: ${done.toLocaleString("en-US")} of ${count(files, "file")} read`;
  // Where reading was stopped, the last line was cut.
  if (report.skipped.lines > 0 && !isInterrupted)
    yield `${count(report.skipped.lines, "line")} could not be read, skipped`;
  const { unknown, broken } = builder.skipped();
  if (unknown > 0) yield `${count(unknown, "file")} passed over: no reader knows ${unknown === 1 ? "it" : "them"}`;
  for (const { path, fault } of broken.slice(0, MAX_BROKEN))
    yield `cannot read ${printable(path)} to its end: ${printable(fault)}`;
  if (broken.length > MAX_BROKEN) yield `and ${count(broken.length - MAX_BROKEN, "file")} more like that`;
}

function pagePath({ html, open }: ScanOptions): string | undefined {
  // A desktop goes by the name: another ending would have it run the file, or show it as text.
  if (open === true && html !== undefined && !/\.html?$/i.test(html))
    throw new UsageError(`--open: a file that ends with .html is required, got ${html}`);
  if (html !== undefined) return resolve(html);
  return open === true ? join(mkdtempSync(join(tmpdir(), "doomloop-")), "report.html") : undefined;
}

async function showPage(
  path: string,
  report: Report,
  options: ScanOptions,
  { messages }: CommandStreams,
): Promise<void> {
  write(path, scanPage(report));
  messages.write(`Wrote ${printable(path)}\n`);
  if (options.open === true && !(await openPage(path)))
    messages.write("doomloop: no program here opens pages; open the file yourself\n");
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}
