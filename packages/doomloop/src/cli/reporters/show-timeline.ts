import { causeInWords } from "../../scan/advice/advice.ts";
import { isClose, lateSpending, moneyInWords, tokensInWords } from "../../scan/report/amounts.ts";
import { lateMoney, stepsInWords } from "../../scan/report/answer.ts";
import {
  decisionsUntilStop,
  type FoldedDecision,
  foldDecisions,
  foldedInWords,
  stoppedAt,
} from "../../scan/report/decisions.ts";
import type { LoopSummary, Report, ReportStep, SessionSummary } from "../../scan/report/report.ts";
import { includes } from "../../scan/report/spans.ts";
import {
  addedInWords,
  addsNothing,
  costSourceInWords,
  count,
  evidenceInWords,
  isOfAnswers,
  loopInWords,
  timesInWords,
} from "../../scan/report/words.ts";
import { columnsOf, cutToWidth, printable } from "../../system/printable.ts";
import { wrapList, wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";

export interface ShowTimelineOptions {
  readonly width: number;
  readonly style: Style;
  /** Show all steps, not only those around loops. */
  readonly isWhole: boolean;
  /** The session's full name. */
  readonly run: string;
  readonly steps: readonly ReportStep[];
}

const AROUND = 3;
const INDENT = "  ";
const MAX_LETTERS = 26;
const MAX_TEXT = 400;
const ACTIONS = ["nudge", "block", "restart", "stop"];
const MAX_FACT = 60;
/** The width beside the label: letter, bar, outcome, evidence and action. */
const BESIDE_LABEL = 33;
const EVIDENCE_WIDTH = 5;

/**
 * Shows one session, one line for each step. Equal calls share a letter, a bar marks loops, and what the step added to
 * the evidence and the guard's action follow.
 */
export function showTimeline(report: Report, options: ShowTimelineOptions): string {
  const session = report.sessions[0]!;
  const all = [...report.loops, ...report.possibleLoops];
  const loops = decisionsUntilStop(all);
  const isStopped = stoppedAt(all) !== undefined;
  const inOrder = [...loops].sort((one, other) => one.onset - other.onset);
  const parts = [
    heading(session, options),
    timeline(inOrder, options),
    ...inOrder.map((loop) => about(loop, isStopped, options)),
  ];
  if (loops.length === 0) parts.push(options.style.good("No loops."));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function heading(session: SessionSummary, { style, run, width }: ShowTimelineOptions): string {
  const { id, agentName, project, model, startedAt, endedAt, calls, tokens, costUsd } = session;
  const facts = [
    `session ${id}`,
    printable(agentName),
    project === null ? "" : cutToWidth(printable(project.slice(0, MAX_TEXT)), MAX_FACT, "middle"),
    model === null ? "" : cutToWidth(printable(model.slice(0, MAX_TEXT)), MAX_FACT),
    startedAt !== null ? minute(startedAt) : endedAt !== null ? `file of ${minute(endedAt)}` : "",
    count(calls, "call"),
    tokens === null || !isClose(tokens) ? "" : tokensInWords(tokens),
    ...(costUsd === null || !isClose(costUsd)
      ? []
      : [moneyInWords(costUsd), costSourceInWords(session.costFrom, null) ?? ""]),
  ].filter((fact) => fact !== "");
  return [style.strong(cutToWidth(printable(run.slice(0, MAX_TEXT)), width, "middle")), wrapList(facts, width)].join(
    "\n",
  );
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** The steps around loops, one per line, with the number of steps left out in between. */
export function timeline(
  loops: readonly LoopSummary[],
  options: Pick<ShowTimelineOptions, "steps" | "isWhole" | "width" | "style">,
): string {
  const { steps, isWhole, width, style } = options;
  const isNear = ({ call }: ReportStep): boolean =>
    isWhole || loops.length === 0 || loops.some((loop) => isNearLoop(call, loop));
  const letters = lettersOf(steps, loops);
  const numberWidth = String(steps.at(-1)?.call ?? 0).length;
  const near = steps.filter(isNear);
  const look = { loops, numberWidth, room: roomForLabels(near, width - numberWidth - BESIDE_LABEL), width, style };
  const lines: string[] = [];
  let next = 1;
  // Counted by call numbers, because some steps may not have been kept.
  const tellPassed = (call: number): void => {
    if (call > next) lines.push(style.dim(`${" ".repeat(numberWidth)}  … ${count(call - next, "step")}`));
    next = call + 1;
  };
  const refused = isWhole ? [] : refusalsIn(loops);
  for (const step of near) {
    const fold = refused.find(({ first, last }) => step.call > first && step.call <= last);
    if (fold === undefined) {
      tellPassed(step.call);
      lines.push(...stepLines(step, { ...look, letter: letters.get(step.same) ?? " " }));
      for (const loop of loops) if (isOfAnswers(loop) && loop.end === step.call) lines.push(answersLine(loop, look));
    } else if (step.call === fold.last) {
      if (fold.first >= next) tellPassed(fold.first);
      lines.push(`${" ".repeat(numberWidth)}    ${style.alarm("│")} … ${style.strong(foldedInWords(fold))}`);
      next = step.call + 1;
    }
  }
  tellPassed((steps.at(-1)?.call ?? 0) + 1);
  return lines.join("\n");
}

/** The width of the labels: as wide as the widest, if there is room. */
function roomForLabels(steps: readonly ReportStep[], most: number): number {
  const widest = steps.reduce((width, { label }) => Math.max(width, columnsOf(shownLabel(label))), 0);
  return Math.max(8, Math.min(widest, most));
}

/** From this many calls on, refusals in a row are one line. */
const MANY = 3;

/** The refusals in a row that take one line: no call between them belongs to another loop. */
function refusalsIn(loops: readonly LoopSummary[]): readonly FoldedDecision[] {
  return loops.flatMap((loop) =>
    foldDecisions(loop.decisions).filter(({ action, first, last }) => {
      const isAlone = loops.every((other) => other === loop || other.onset > last || other.end < first);
      return action === "block" && last - first + 1 >= MANY && isAlone && areRow(loop, first, last);
    }),
  );
}

/** Whether all calls from the first to the last belong to the loop. */
function areRow({ calls }: LoopSummary, first: number, last: number): boolean {
  return calls.some(([from, to]) => from <= first && to >= last);
}

/** Whether a call is close to a loop, or leads to a repeat that added nothing. */
function isNearLoop(call: number, { onset, end, uncounted }: LoopSummary): boolean {
  if (call >= onset - AROUND && call <= end + AROUND) return true;
  return uncounted.some((passed) => call > passed.call - AROUND && call <= passed.call);
}

/** The answers that come after a call. */
function answersLine(loop: LoopSummary, { numberWidth, style }: Pick<StepLook, "numberWidth" | "style">): string {
  const action = worstOf(loop.decisions.map((decision) => decision.action));
  const words = action === undefined ? "" : `  ${style.strong(action)}`;
  return `${" ".repeat(numberWidth)}    ${style.alarm("│")} … ${printable(loop.what)}, ${timesInWords(loop)}${words}`;
}

interface StepLook {
  readonly loops: readonly LoopSummary[];
  readonly letter: string;
  readonly numberWidth: number;
  /** The width of the label. */
  readonly room: number;
  readonly width: number;
  readonly style: Style;
}

function shownLabel(label: string): string {
  return printable(label.slice(0, MAX_TEXT));
}

function stepLines(step: ReportStep, { loops, letter, numberWidth, room, width, style }: StepLook): string[] {
  const isInLoop = loops.some(({ calls }) => includes(calls, step.call));
  const said = worstOf(
    loops
      .filter((loop) => !isOfAnswers(loop))
      .flatMap(({ decisions }) => decisions.filter(({ call }) => call === step.call).map(({ action }) => action)),
  );
  const bar = isInLoop ? style.alarm("│") : " ";
  const outcome = step.outcome === null ? "no result" : step.isFailing ? "failed" : "ok";
  const label = cutToWidth(shownLabel(step.label), room, "middle");
  const padding = " ".repeat(Math.max(0, room - columnsOf(label)));
  const added = (step.added === undefined ? "" : addedInWords(step.added)).padEnd(EVIDENCE_WIDTH);
  const words = said === undefined ? "" : `  ${style.strong(said)}`;
  const place = `${String(step.call).padStart(numberWidth)}  ${letter} ${bar} ${label}${padding}`;
  const line = `${place}  ${outcome.padEnd(9)}  ${added}${words}`.trimEnd();
  const indent = `${" ".repeat(numberWidth + 4)}${bar}   `;
  const below = [...reasonsOf(step, loops), step.arguments, step.output].filter((text) => text !== undefined);
  const shown = below.map(
    (text) =>
      `${indent}${style.dim(cutToWidth(oneLine(text.slice(0, MAX_TEXT)), Math.max(8, width - numberWidth - 8)))}`,
  );
  return [line, ...shown];
}

/** A foreign text in one line. A sign of ours stands for its line ends. */
function oneLine(text: string): string {
  return text.trimEnd().split(/\r?\n/).map(printable).join(" ↵ ");
}

/** Why a repeat added nothing. Each reason appears once. */
function reasonsOf({ call, reason: own }: ReportStep, loops: readonly LoopSummary[]): readonly string[] {
  const passed = loops.flatMap(({ uncounted }) => uncounted.filter((other) => other.call === call));
  const reasons = [...passed.map(({ reason }) => reason), ...(own === undefined ? [] : [own])];
  return [...new Set(reasons.map(addsNothing))];
}

/** Assigns letters to repeated calls, in order of first appearance. Letters begin with the calls of loops. */
function lettersOf(steps: readonly ReportStep[], loops: readonly LoopSummary[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  const inLoops = steps.filter(({ call }) => loops.some(({ calls }) => includes(calls, call)));
  for (const { same } of inLoops) times.set(same, 0);
  for (const { same } of steps) times.set(same, (times.get(same) ?? 0) + 1);
  const repeated = [...times].filter(([, number]) => number > 1).slice(0, MAX_LETTERS);
  return new Map(repeated.map(([same], at) => [same, String.fromCharCode(65 + at)]));
}

function worstOf(actions: readonly string[]): string | undefined {
  return ACTIONS.findLast((action) => actions.includes(action));
}

function about(loop: LoopSummary, isStopped: boolean, { style, width }: ShowTimelineOptions): string {
  const { afterOnset, id, decisions, decided } = loop;
  const spent = [stepsInWords(afterOnset)];
  const { tokens, costUsd } = lateSpending(afterOnset);
  if (tokens !== null && isClose(tokens)) spent.push(tokensInWords(tokens));
  const money = lateMoney(costUsd);
  if (money !== undefined) spent.push(money);
  const facts = [evidenceInWords(loop), causeInWords(loop.cause), `id ${id}`];
  const unlisted = decided - decisions.length;
  // After a stop, nothing more would have been done.
  const times = unlisted === 1 ? "once more" : `${count(unlisted)} more times`;
  if (unlisted > 0 && !isStopped) facts.push(`doomloop would have stepped in ${times}`);
  return [
    loop.isPossible
      ? wrapText(`Possible loop: ${printable(loopInWords(loop))}`, width, INDENT)
      : style.alarm(wrapText(printable(loopInWords(loop)), width, INDENT)),
    `  ${wrapList(facts, width - 2, INDENT)}`,
    `  ${wrapText(`spent after doomloop would have stepped in: ${spent.join(", ")}`, width - 2, INDENT)}`,
  ].join("\n");
}
