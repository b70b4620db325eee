import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readFault } from "../read-fault.ts";
import { scanAnnotations } from "../reporters/scan-annotations.ts";
import { scanJunit } from "../reporters/scan-junit.ts";
import { scanLines } from "../reporters/scan-lines.ts";
import { scanPage } from "../reporters/scan-page.ts";
import { scanSummary } from "../reporters/scan-summary.ts";
import { readFailOn } from "../scan/fail-on.ts";
import { openPage } from "../scan/open-page.ts";
import type { LoopSummary, Report } from "../scan/report.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "../scan/run-scan.ts";
import { createScanProgress } from "../scan/scan-progress.ts";
import { readTimeRange, type TimeRangeOptions } from "../scan/time-range.ts";
import { count } from "../terminal/count.ts";
import { printable } from "../terminal/printable.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandStreams } from "./replay.ts";

export interface ScanOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Omit<RunScanOptions, "range" | "hasSteps" | "signal" | "onProgress"> {
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
/** What a shell makes of Ctrl-C. */
const INTERRUPTED = 130;
const DEFAULT_LAST = "30d";
const DEFAULT_TOP = 5;
const WIDE = 120;

/** Scans transcripts for loops and prints what they are and what they cost. Returns the exit code. */
export async function scan(paths: readonly string[], options: ScanOptions, streams: CommandStreams): Promise<number> {
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: DEFAULT_LAST } : {}) }, Date.now());
  const isFailing = readFailOn(options.failOn ?? []);
  const top = readTop(options.top);
  const page = pagePath(options);
  const progress = createProgress(streams.messages, () => performance.now());
  const tell = createScanProgress(progress, () => performance.now());
  const interrupt = listenForInterrupt();
  let result: RunScanResult;
  try {
    const hasSteps = options.json === true || page !== undefined;
    const onProgress = options.quiet === true ? undefined : tell;
    result = await runScan(paths, { ...options, range, hasSteps, signal: interrupt.signal, onProgress });
  } finally {
    progress.clear();
    interrupt.release();
  }

  const report = result.builder.build(Date.now());
  for (const line of noticesOf(report, result, interrupt.signal.aborted)) streams.messages.write(`doomloop: ${line}\n`);
  await print(report, options, streams, { top, words: range.words, result, isFailing, hasPaths: paths.length > 0 });
  if (options.junit !== undefined)
    write(options.junit, scanJunit(report, options.failOn === undefined ? () => true : isFailing));
  if (page !== undefined) await showPage(page, report, options, streams);
  if (interrupt.signal.aborted) return INTERRUPTED;
  if (result.builder.faults() > 0) return OUR_FAULT;
  return report.loops.some(isFailing) ? LOOPS_FOUND : FINE;
}

interface PrintOptions {
  readonly top: number;
  readonly words: string;
  readonly result: RunScanResult;
  readonly hasPaths: boolean;
  readonly isFailing: (loop: LoopSummary) => boolean;
}

async function print(
  report: Report,
  options: ScanOptions,
  streams: CommandStreams,
  given: PrintOptions,
): Promise<void> {
  const { output, width = WIDE } = streams;
  if (options.json === true) return output.write(`${JSON.stringify(report)}\n`);
  if (options.jsonl === true) {
    for (const line of scanLines(report)) {
      if (output.isClosed) return;
      await output.write(line);
    }
    return;
  }
  if (options.github === true) await output.write(scanAnnotations(report, given.isFailing));
  const labels = new Map(given.result.readers.map(({ agent, label }) => [agent, label]));
  const summary = scanSummary(report, {
    width,
    top: given.top,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    now: Date.now(),
    scope: given.words,
    labelOf: (agent) => labels.get(agent) ?? agent,
    isQuiet: options.quiet === true,
    hint: given.hasPaths
      ? "Is it a transcript? --format names the agent that wrote it."
      : "Try --last 1y, or name a file or folder: doomloop scan runs.jsonl",
  });
  await output.write(summary);
}

/** What the reader of the summary should know about the scan itself. */
function* noticesOf(report: Report, { done, files }: RunScanResult, isInterrupted: boolean): Generator<string> {
  if (isInterrupted) yield `stopped early: ${done.toLocaleString("en-US")} of ${count(files, "file")} read`;
  // Where reading was stopped, the last line was cut.
  if (report.skipped.lines > 0 && !isInterrupted)
    yield `${count(report.skipped.lines, "line")} could not be read, skipped`;
  if (report.skipped.files > 0)
    yield `${count(report.skipped.files, "file")} that no reader knows or that cannot be read to its end`;
}

function readTop(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TOP;
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new UsageError(`--top: a number from 1 to 99999 is required, got ${text}`);
  return Number(text);
}

function pagePath({ html, open }: ScanOptions): string | undefined {
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

interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/** The first Ctrl-C ends the reading, and what is known is printed; the second ends the process. */
function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once("SIGINT", stop);
  return { signal: controller.signal, release: () => process.off("SIGINT", stop) };
}
