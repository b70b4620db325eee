import { chooseOptions, configFor } from "../../scan/config.ts";
import { possibleInWords } from "../../scan/report/answer.ts";
import { decisionsUntilStop } from "../../scan/report/decisions.ts";
import type { LoopSummary, Report, ReportStep, Totals } from "../../scan/report/report.ts";
import { callsInWords, count, kindWords } from "../../scan/report/words.ts";
import { type RunScanOptions, type RunScanResult, runScan } from "../../scan/run-scan.ts";
import { readTimeRange, type TimeRangeOptions } from "../../scan/time-range.ts";
import { writeChange } from "../../scan/tune/changes.ts";
import { judgeBy, markOf, readMarks, writeMarks } from "../../scan/tune/marks.ts";
import { type Tally, type Trial, tallyOf, tryChanges } from "../../scan/tune/try-changes.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { isSampleOnly, nowFor } from "../command-line/shared-options.ts";
import { timeline } from "../reporters/show-timeline.ts";
import { wrapList, wrapText } from "../terminal/columns.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/interruption.ts";
import { ask, type CommandStreams, widthFor } from "../terminal/output.ts";
import { createProgress, createScanProgress } from "../terminal/progress.ts";
import { createStyle, type Style } from "../terminal/style.ts";
import { readSession, showsContent } from "./find-session.ts";

export interface TuneOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Pick<RunScanOptions, "agent" | "project" | "session" | "format" | "reader" | "cache" | "config"> {
  readonly right?: readonly string[];
  readonly wrong?: readonly string[];
  readonly write?: string | true;
  /** False hides arguments and results. */
  readonly content?: boolean;
}

const MARKS = "doomloop.marks.json";
const CONFIG = "doomloop.config.json";

/** Asks which loops are none, and proposes configuration changes that avoid them. Returns the exit code. */
export async function tune(paths: readonly string[], options: TuneOptions, streams: CommandStreams): Promise<number> {
  const { output, messages } = streams;
  const width = widthFor(streams);
  const { right, wrong, write, config } = options;
  const isSample = isSampleOnly(paths);
  if (isSample && write !== undefined)
    throw new UsageError("--write and --sample: made-up sessions change no configuration");
  if (write !== undefined && config === false) throw new UsageError("--write and --no-config: only one can be given");
  const isTerminal = streams.input.isTTY === true && streams.width !== undefined;
  const isAsking = isTerminal && (right ?? wrong ?? write) === undefined;
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: "30d" } : {}) }, nowFor(paths));
  let marks = isSample ? [] : readMarks(MARKS);
  const progress = createProgress(messages, () => performance.now());
  const onProgress = createScanProgress(progress, () => performance.now());
  const { result, isInterrupted } = await untilInterrupted((signal) =>
    runScan(paths, { ...options, range, hasSteps: true, signal, onProgress }),
  ).finally(() => progress.clear());
  if (isInterrupted) return stopped(streams);
  if (result.paths.length === 0) throw new UsageError(`no transcripts found in ${range.words}; name a file or folder`);

  const report = result.builder.build(nowFor(paths));
  const loops = [...report.loops, ...report.possibleLoops];
  const keep = (loop: LoopSummary, isRight: boolean): void => {
    marks = [...marks, markOf(loop, isRight)];
    if (!isSample) writeMarks(MARKS, marks);
  };
  for (const [loop, isRight] of judgementsIn(loops, options)) keep(loop, isRight);
  const look = { width, style: createStyle({ isTTY: streams.width !== undefined }, process.env) };
  const stepsOf = createStepLookup(report, result, { config, includesContent: showsContent(options, streams.width) });
  const show = async (loop: LoopSummary): Promise<void> =>
    output.write(`\n${loopWords(loop, report, look, await stepsOf(loop.session))}\n`);
  const unjudged = judgeBy(marks, loops).filter(({ isRight }) => isRight === undefined);
  if (isAsking && !(await askMarks(unjudged, show, keep))) return INTERRUPTED;

  const guardOptions = await chooseOptions(undefined, configFor(config));
  const judged = judgeBy(marks, loops);
  const onTry = (tried: number, total: number): void => progress.show(`Trying changes, ${tried} of ${total}`);
  const tried = await untilInterrupted((signal) =>
    tryChanges(judged, { guardOptions, readers: result.readers, runs: result.builder.runs(), signal, onTry }),
  ).finally(() => progress.clear());
  if (tried.isInterrupted) return stopped(streams);
  await output.write(trialWords(tried.result, tallyOf(judged), { ...look, totals: report.totals }));
  const chosen = await choose(tried.result, isAsking && config !== false && !isSample, write);
  if (chosen === undefined) return 0;
  const path = configFor(config) ?? CONFIG;
  writeChange(path, chosen.change.patch);
  messages.write(`Wrote ${JSON.stringify(chosen.change.patch)} to ${printable(path)}\n`);
  return 0;
}

/** The steps of a session: as the report has them, or with arguments and results, read from the file again. */
function createStepLookup(
  report: Report,
  { builder, readers }: RunScanResult,
  options: { readonly config: TuneOptions["config"]; readonly includesContent: boolean },
): (session: string) => Promise<readonly ReportStep[]> {
  let latest: { readonly session: string; readonly steps: readonly ReportStep[] } | undefined;
  return async (session) => {
    const run = options.includesContent ? builder.runs().find(({ id }) => id === session) : undefined;
    if (run === undefined) return report.runs[session]?.steps ?? [];
    if (latest?.session !== session) {
      const { record, place } = await readSession(run, readers, options);
      latest = { session, steps: record.steps[place]?.steps ?? [] };
    }
    return latest.steps;
  };
}

function stopped({ messages }: CommandStreams): number {
  messages.write("doomloop: stopped early\n");
  return INTERRUPTED;
}

/**
 * The user's verdicts from the command line, by the ids of loops or sessions. Throws a `UsageError` for an unknown id.
 */
function judgementsIn(
  loops: readonly LoopSummary[],
  { right = [], wrong = [] }: TuneOptions,
): Map<LoopSummary, boolean> {
  const judgements = new Map<LoopSummary, boolean>();
  for (const [at, id] of [...right, ...wrong].entries()) {
    const isRight = at < right.length;
    const named = loops.filter((loop) => loop.session === id || loop.id === id);
    if (named.length === 0)
      throw new UsageError(`no loop, and no session with loops, has the id ${id}; doomloop scan prints the ids`);
    for (const loop of named) {
      if (judgements.get(loop) === !isRight)
        throw new UsageError(`${id}: the same calls cannot be both right and wrong`);
      judgements.set(loop, isRight);
    }
  }
  return judgements;
}

/** The change to write: the number on the command line, or the user's answer. */
async function choose(
  trials: readonly Trial[],
  isAsking: boolean,
  write: string | true | undefined,
): Promise<Trial | undefined> {
  if (trials.length === 0) return undefined;
  const numbers = trials.map((_, at) => String(at + 1));
  const answer = isAsking ? await ask(`\nWrite which one? ${numbers.join(", ")} or [n]one: `) : write;
  const chosen = trials[numbers.indexOf(answer === true ? "1" : (answer ?? ""))];
  if (chosen !== undefined || write === undefined) return chosen;
  throw new UsageError(`--write: ${numbers.join(" or ")} is required, got ${write}`);
}

/** Shows loops and asks about each, until the user quits. Returns false for Ctrl-C. */
export async function askMarks(
  loops: readonly LoopSummary[],
  show: (loop: LoopSummary) => Promise<void>,
  keep: (loop: LoopSummary, isRight: boolean) => void,
): Promise<boolean> {
  for (const [at, loop] of loops.entries()) {
    await show(loop);
    const place = `${at + 1} of ${loops.length}`;
    const answer = await ask(`${place}: was the guard right? [y]es, [n]o, [s]kip, [q]uit: `);
    if (answer === undefined) return false;
    const letter = answer[0]?.toLowerCase();
    if (letter === "q") return true;
    if (letter === "y" || letter === "n") keep(loop, letter === "y");
  }
  return true;
}

export interface TuneLook {
  readonly width: number;
  readonly style: Style;
}

/** For a long loop, the first and the last steps are shown, and those where the guard first steps in. */
const HEAD = 12;
const TAIL = 5;

/** One loop with its steps. */
export function loopWords(loop: LoopSummary, report: Report, look: TuneLook, all: readonly ReportStep[]): string {
  const { session, onset, end, decisions } = loop;
  const { agentName, project, startedAt } = report.sessions.find(({ id }) => id === session)!;
  const facts = [agentName, project, startedAt?.slice(0, 10), callsInWords(onset, end), `id ${loop.id}`];
  const isShown = (call: number): boolean => call < onset + HEAD || call > end - TAIL || decisions[0]?.call === call;
  const steps = all.filter(({ call }) => isShown(call));
  return [
    look.style.strong(wrapText(`${printable(`${kindOf(loop)}: ${loop.what}`)}`, look.width)),
    look.style.dim(wrapList(facts.filter((fact) => fact != null).map(printable), look.width)),
    `${timeline(decisionsUntilStop([loop]), { ...look, steps, isWhole: false })}\n`,
  ].join("\n");
}

function kindOf({ kind, areEqual, isPossible }: LoopSummary): string {
  const { name } = kindWords(kind, areEqual);
  return isPossible ? `Possible loop, ${name.toLowerCase()}` : name;
}

/** The loops as a scan counts them: `13 loops and 2 possible loops`. */
function foundInWords(totals: Totals): string {
  const possible = possibleInWords(totals);
  if (possible === undefined) return count(totals.loops, "loop");
  return totals.loops === 0 ? possible : `${count(totals.loops, "loop")} and ${possible}`;
}

const NO_CHANGE = "No single change would have avoided a loop marked wrong without missing more that are right.";

/** The changes with their JSON and their effect, or one line if there is none. */
export function trialWords(
  trials: readonly Trial[],
  all: Tally,
  { width, style, totals }: TuneLook & Pick<Report, "totals">,
): string {
  if (all.wrong === 0) return `Nothing to tune: of ${foundInWords(totals)} here, none is marked wrong.\n`;
  if (trials.length === 0) return `${wrapText(NO_CHANGE, width)}\n`;
  const parts = trials.map(({ change, avoided }, at) => {
    const effect = `would have avoided ${avoided.wrong} of ${count(all.wrong, "loop")} marked wrong, kept ${all.right - avoided.right} of ${all.right} marked right, and avoided ${avoided.others} unmarked`;
    return [
      style.strong(wrapText(`${at + 1}  ${change.words}`, width, "   ")),
      // Not wrapped, so that it can be copied.
      `   ${JSON.stringify(change.patch)}`,
      `   ${wrapText(effect, width - 3, "   ")}\n`,
    ].join("\n");
  });
  return `\n${parts.join("\n")}`;
}
