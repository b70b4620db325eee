import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { similarWord } from "../../checks/check-options.ts";
import { DETECTOR_KINDS } from "../../core/finding.ts";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { isFolder, type ReportBuilder } from "../../scan/report-builder.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "../../scan/run-scan.ts";
import { readTimeRange, type TimeRangeOptions } from "../../scan/time-range.ts";
import { printable } from "../../system/printable.ts";
import { orUsageError, UsageError } from "../../system/usage-error.ts";
import { nowFor } from "../command-line/shared-options.ts";
import { scanAdvice } from "../reporters/scan-advice.ts";
import { scanAnnotations } from "../reporters/scan-formats.ts";
import { scanNotices } from "../reporters/scan-notices.ts";
import { openPage, scanPage } from "../reporters/scan-page.ts";
import { wrapLines } from "../terminal/columns.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/interruption.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { createProgress, createScanProgress } from "../terminal/progress.ts";
import { summaryOf } from "./scan-summary-of.ts";
import { spoolInput } from "./spool-input.ts";

export interface ScanOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Omit<RunScanOptions, "range" | "hasSteps" | "signal" | "onProgress"> {
  /** Whether the command line names this command. It is the default, so a first word may be a mistyped command. */
  readonly isNamed?: boolean;
  readonly top?: string;
  /** Print what to do about the loops, instead of the summary. */
  readonly advise?: boolean;
  readonly json?: boolean;
  /** `true` if no file is named. */
  readonly html?: string | boolean;
  readonly open?: boolean;
  readonly github?: boolean;
  readonly failOn?: readonly string[];
  /** The id of a session or loop to write as a redacted trace. */
  readonly export?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const FINE = 0;
const OUR_FAULT = 1;
const LOOPS_FOUND = 10;
/** A build must not pass because nothing was scanned. */
const NOT_ALL_READ = 11;
const DEFAULT_LAST = "30d";
const DEFAULT_TOP = 5;
const DEFAULT_PAGE = "doomloop-report.html";

/** Scans transcripts for loops and prints what they are and what they cost. Returns the exit code. */
export async function scan(given: readonly string[], options: ScanOptions, streams: CommandStreams): Promise<number> {
  if (given.includes("")) throw new UsageError("a path is required, got an empty one");
  requirePath(given, options.isNamed === true);
  if (options.export === undefined && (options.output !== undefined || options.force === true))
    throw new UsageError("--output and --force need --export");
  if (options.export !== undefined) {
    const { exportSession } = await import("./export-session.ts");
    return exportSession(options.export, given, options, streams);
  }
  const now = nowFor(given);
  const range = readTimeRange({ ...options, ...(given.length === 0 && { defaultLast: DEFAULT_LAST }) }, now);
  const isFailing = readFailOn(options.failOn ?? []);
  const page = pagePath(options);
  const about = { options, streams, paths: given, scope: range.words, hasPage: page !== undefined };
  const top = readTop(options.top, DEFAULT_TOP);
  const spooled = await spoolInput(given, streams.input);
  if (spooled === undefined) return INTERRUPTED;
  const hasSteps = options.json === true || page !== undefined;
  const found = watched(spooled.paths, { ...options, range, hasSteps }, streams);
  const { result, isInterrupted } = await found.finally(spooled.remove);
  const report = result.builder.build(now, isInterrupted ? result.reading() : undefined);
  for (const line of scanNotices(report, result, { isVerbose: options.verbose === true }))
    streams.messages.write(`${wrapLines(`doomloop: ${line}`, streams.width)}\n`);
  await print(report, options, { streams, summary: () => summaryOf(report, result, { ...about, top }), isFailing });
  if (page !== undefined) await showPage(page, report, options, streams);
  return isInterrupted
    ? INTERRUPTED
    : exitCodeOf(report, result.builder, { ...options, isFailing, isNamed: given.length > 0 });
}

interface Judging extends Pick<ScanOptions, "failOn"> {
  readonly isFailing: (loop: LoopSummary) => boolean;
  /** Whether paths were given on the command line. */
  readonly isNamed: boolean;
}

function exitCodeOf(report: Report, builder: ReportBuilder, { failOn, isFailing, isNamed }: Judging): number {
  if (builder.faults() > 0) return OUR_FAULT;
  if ([...report.loops, ...report.possibleLoops].some(isFailing)) return LOOPS_FOUND;
  if (failOn === undefined) return FINE;
  const { broken, passedOver } = builder.skipped();
  // An agent's own folder contains many other files. A path on the command line must be readable.
  const missed = isNamed ? passedOver : passedOver.filter(isFolder);
  const isBlind = report.totals.sessions === 0 || report.skipped.lines + broken.length + missed.length > 0;
  return isBlind ? NOT_ALL_READ : FINE;
}

/** The first words of the command line. A test compares them with the commands. */
export const COMMAND_NAMES: readonly string[] =
  "scan show tune replay init uninstall doctor allow status log pause resume mode stop hook checkpoint restore undo serve help".split(
    " ",
  );

/** The command is optional, so a mistyped one arrives as a path. */
function requirePath([first]: readonly string[], hasCommand: boolean): void {
  if (first === undefined || !/^[a-z-]{2,20}$/.test(first) || existsSync(first)) return;
  if (hasCommand) throw new UsageError(`${first}: no such file or folder`);
  const meant = similarWord(first, COMMAND_NAMES);
  const suggestion = meant === undefined ? "" : `. Did you mean ${meant}?`;
  throw new UsageError(`${first}: no such command, file or folder${suggestion}`);
}

/** Scans, and shows the progress on a terminal. */
function watched(
  paths: readonly string[],
  options: ScanOptions & Pick<RunScanOptions, "range" | "hasSteps">,
  streams: CommandStreams,
): Promise<{ readonly result: RunScanResult; readonly isInterrupted: boolean }> {
  const progress = createProgress(streams.messages, () => performance.now());
  const onProgress = options.quiet === true ? undefined : createScanProgress(progress, () => performance.now());
  return untilInterrupted((signal) => runScan(paths, { ...options, signal, onProgress })).finally(() =>
    progress.clear(),
  );
}

interface Printing {
  readonly streams: CommandStreams;
  readonly summary: () => string;
  readonly isFailing: (loop: LoopSummary) => boolean;
}

async function print(report: Report, options: ScanOptions, printing: Printing): Promise<void> {
  const { output } = printing.streams;
  if (options.json === true) return output.write(`${JSON.stringify(report)}\n`);
  if (options.advise === true) {
    const { rules, words } = scanAdvice(report);
    // What is appended to AGENTS.md is for agents, and nothing else.
    printing.streams.messages.write(words);
    return rules === "" ? undefined : output.write(rules);
  }
  if (options.github === true) await output.write(scanAnnotations(report, printing.isFailing));
  await output.write(printing.summary());
}

function pagePath({ html, open }: ScanOptions): string | undefined {
  if (html === true) return resolve(DEFAULT_PAGE);
  // The desktop chooses the program by the extension: with another one it might run the file or show it as text. This
  // also catches a transcript path after --html.
  if (typeof html === "string" && !/\.html?$/i.test(html))
    throw new UsageError(`--html: expected a file that ends with .html, got ${html}`);
  if (typeof html === "string") return resolve(html);
  return open === true ? join(mkdtempSync(join(tmpdir(), "doomloop-")), "report.html") : undefined;
}

async function showPage(
  path: string,
  report: Report,
  options: ScanOptions,
  { messages }: CommandStreams,
): Promise<void> {
  writeNamed(path, scanPage(report));
  messages.write(`Wrote ${printable(path)}\n`);
  if (options.open === true && !(await openPage(path)))
    messages.write("doomloop: found no program to open the page; open the file yourself\n");
}

const ACTIONS = ["nudge", "block", "restart", "stop"];
const POSSIBLE = "possible";

/**
 * Returns which loops fail a build: loops of a kind, or loops for which the guard would have taken at least this
 * action. Possible loops fail it only if `possible` is among the values, which stands for all loops if it is alone.
 */
export function readFailOn(values: readonly string[]): (loop: LoopSummary) => boolean {
  const wanted = values.flatMap((value) => value.split(","));
  const known = [...DETECTOR_KINDS, ...ACTIONS, POSSIBLE];
  for (const value of wanted) {
    if (!known.includes(value)) throw new UsageError(`--fail-on: expected one of ${known.join(", ")}, got ${value}`);
  }
  const actions = wanted.filter((value) => ACTIONS.includes(value)).map((value) => ACTIONS.indexOf(value));
  const lowest = Math.min(...actions);
  const hasPossible = wanted.includes(POSSIBLE);
  const isEvery = hasPossible && wanted.every((value) => value === POSSIBLE);
  return ({ kind, decisions, isPossible }) => {
    if (isPossible && !hasPossible) return false;
    return isEvery || wanted.includes(kind) || decisions.some(({ action }) => ACTIONS.indexOf(action) >= lowest);
  };
}

/** Reads `--top`. Throws a `UsageError` for an invalid number. */
export function readTop(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new UsageError(`--top: expected a number from 1 to 99999, got ${text}`);
  return Number(text);
}

/** Writes a file that the user named. Throws a `UsageError` if that fails. */
export function writeNamed(path: string, text: string): void {
  orUsageError(`cannot write ${path}`, () => writeFileSync(path, text));
}
