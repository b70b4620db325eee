import { answerInWords, costInWords, isNothing, lateFigures, readInWords } from "../../scan/report/answer.ts";
import { worstInWords } from "../../scan/report/headline.ts";
import type { HookTally, LoopSummary, Report, SessionSummary } from "../../scan/report/report.ts";
import {
  ABOUT_POSSIBLE,
  capitalized,
  count,
  kindWords,
  passedOver,
  repeatInWords,
  sessionsInWords,
} from "../../scan/report/words.ts";
import { columnsOf, cutToWidth, printable } from "../../system/printable.ts";
import { type Column, layOut, wrapList, wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";
import { timeAgo } from "../terminal/time-ago.ts";
import { type NextStep, stepLines } from "./next-steps.ts";

interface WorstLoopsOptions {
  /** The terminal's width. */
  readonly width: number;
  readonly style: Style;
  /** How many loops to list. */
  readonly top: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ScanSummaryOptions extends WorstLoopsOptions {
  /** What was scanned: `the last 30 days`. */
  readonly scope: string;
  /** Print only one line. */
  readonly isQuiet: boolean;
  /** Shown instead of the hints if there are sessions, but none that were asked for: `4 sessions, none match --project x`. */
  readonly unmatched?: string | undefined;
  /** Shown if nothing was found: where the scan searched, and what to try. */
  readonly hints: readonly string[];
  readonly steps: readonly NextStep[];
}

/**
 * The result of a scan for a terminal: the answer, the worst loops, and what to do about them. Escapes all foreign
 * text.
 */
export function scanSummary(report: Report, options: ScanSummaryOptions): string {
  const { totals } = report;
  const { style, width, scope, isQuiet, hints } = options;
  const hooks = isQuiet ? "" : wrapText(hookSentences(report.hooks), width);
  if (totals.sessions === 0 && report.stopped !== null)
    return `Not complete, ${readInWords(report.stopped)}: no sessions so far.\n`;
  if (totals.sessions === 0 && options.unmatched !== undefined)
    return `${wrapText(`${options.unmatched} (${scope}).`, width)}\n`;
  if (totals.sessions === 0)
    return joined([`No sessions found (${scope}).`, ...hints.map((hint) => wrapText(hint, width, "  ")), hooks], "\n");
  const answer = answerInWords(report);
  if (isQuiet) return `${[answer, ...judgedBy(report)].join(" ")}\n`;
  const about = style.dim(aboutScan(report, options));
  if (totals.loops === 0) {
    const isWhole = report.stopped === null;
    const told = wrapText(answer, width);
    const repeated = isWhole ? repeatLines(report, options) : "";
    const next = totals.possibleLoops === 0 ? "" : whatToDo(options);
    return joined(
      [`${isWhole ? style.good(told) : told}\n${about}`, possibleLoops(report, options), ...[repeated, hooks, next]],
      "\n\n",
    );
  }
  const worst = style.strong(sentence(worstInWords(report), options));
  // How far the scan came is always said first.
  const told = report.stopped === null ? [worst, wrapText(answer, width)] : [wrapText(answer, width), worst];
  const parts = [
    `${told.join("\n")}\n${about}`,
    worstLoops(report, options),
    possibleLoops(report, options),
    hooks,
    whatToDo(options),
  ];
  return joined(parts, "\n\n");
}

/** A sentence with foreign text, escaped. */
function sentence(words = "", { width }: Pick<ScanSummaryOptions, "width">): string {
  return wrapText(`${printable(words)}.`, width);
}

function whatToDo({ style, steps, width }: ScanSummaryOptions): string {
  return `${style.strong("What to do")}\n${stepLines(steps, width)}`;
}

function joined(parts: readonly string[], separator: string): string {
  return `${parts.filter((part) => part !== "").join(separator)}\n`;
}

/** What was scanned, and where the figures come from. */
function aboutScan(report: Report, { scope, width }: ScanSummaryOptions): string {
  const { totals, sessions } = report;
  const agents = new Map<string, number>();
  for (const { agentName } of sessions.filter(({ partOf }) => partOf === null))
    agents.set(agentName, (agents.get(agentName) ?? 0) + 1);
  const listed = [...agents]
    .sort((one, other) => other[1] - one[1])
    .map(([name, number]) => cutToWidth(`${printable(name)} ${count(number)}`, width - 1));
  const size = `${count(totals.loops, "loop")} in ${sessionsInWords(totals)}, ${count(totals.calls, "call")}, ${scope}.`;
  const judged = judgedBy(report);
  const cost = costInWords(totals);
  const spent = cost === undefined ? [] : [`${capitalized(cost)}.`, ...dateOfPrices(report)];
  const facts =
    totals.loops === 0
      ? [`${capitalized(scope)}.`, ...spent, ...judged]
      : [size, ...dateOfPrices(report), ...unpriced(report), ...judged];
  return `${wrapText(facts.join(" "), width)}\n${wrapList(listed, width)}`;
}

function dateOfPrices({ pricesAsOf }: Report): readonly string[] {
  return pricesAsOf === null ? [] : [`Prices of ${pricesAsOf}.`];
}

function unpriced({ totals: { unpricedSessions, sessions, costUsd } }: Report): readonly string[] {
  if (unpricedSessions === 0 || costUsd === null) return [];
  return [`${count(unpricedSessions)} of ${count(sessions, "session")} used models without a known price.`];
}

function judgedBy({ generator }: Report): readonly string[] {
  return generator.config === null ? [] : [`Judged by ${printable(generator.config)}.`];
}

/** What hooks said and how agents reacted, in a sentence or two. Empty if they were silent. */
function hookSentences(tally: HookTally | undefined): string {
  if (tally === undefined) return "";
  const { words, questions, refusals, ends, obeyed, ignored, allowed } = tally;
  const spoken = words + questions + refusals + ends;
  if (spoken + obeyed + ignored + allowed === 0) return "";
  const sentences = [`Hooks acted ${spoken === 1 ? "once" : count(spoken, "time")}.`];
  if (obeyed + ignored > 0) sentences.push(`Agents followed ${count(obeyed, "nudge")} and ignored ${number(ignored)}.`);
  if (allowed > 0) sentences.push(`You dismissed ${count(allowed, "loop")}.`);
  return sentences.join(" ");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

const COLUMNS: readonly Column[] = [
  { heading: "session" },
  { heading: "what repeated", minimum: 12, weight: 2, cut: "middle" },
  { heading: "times", align: "right", isOptional: true },
  { heading: "kind", minimum: 8, isOptional: true },
  { heading: "agent", minimum: 6, isOptional: true },
  { heading: "project", minimum: 6, cut: "middle", isOptional: true },
  { heading: "when", isOptional: true },
  { heading: "spent after", align: "right" },
];

const WHAT = 1;
const PROJECT = 5;
const SPENT = 7;
/** The width from which a column is shown. What repeated and what it cost matter most. */
const ROOM_FOR: Readonly<Record<number, number>> = { 2: 54, 3: 110, 4: 90, 5: 90, 6: 72 };
const INDENT = "  ";
const MAX_TEXT = 200;
const NOTHING = "-";

/** The most expensive loops, one line each, with the id for `show`. Escapes all foreign text. */
function worstLoops(report: Report, options: WorstLoopsOptions): string {
  const title = titleOf(Math.min(options.top, report.loops.length), report.loops.length);
  return [options.style.strong(wrapText(title, options.width)), ...loopLines(report, report.loops, options)].join("\n");
}

/** The possible loops, and why they are no more than that. Empty if there are none. */
function possibleLoops(report: Report, options: WorstLoopsOptions): string {
  const all = report.possibleLoops.length;
  if (all === 0) return "";
  const more = all > options.top ? ` (the first ${options.top} of ${count(all)}; --top ${all} names all)` : "";
  return [
    wrapText(`${options.style.strong("Possible loops")}${more}`, options.width),
    `${INDENT}${wrapText(ABOUT_POSSIBLE, options.width - INDENT.length, INDENT)}`,
    ...loopLines(report, report.possibleLoops, options),
  ].join("\n");
}

function loopLines(report: Report, loops: readonly LoopSummary[], options: WorstLoopsOptions): readonly string[] {
  const { style, top, width, now } = options;
  const sessions = new Map(report.sessions.map((session) => [session.id, session]));
  const chosen = loops.slice(0, top);
  const rows = chosen.map((loop) => rowOf(loop, sessions.get(loop.session), now));
  const isShown = (at: number): boolean =>
    width >= (ROOM_FOR[at] ?? 0) && (at !== PROJECT || rows.some((row) => row[PROJECT] !== ""));
  if (!hasRoomForAmounts(rows, width)) return rows.flatMap((row) => stacked(row, options));
  const shown = COLUMNS.filter((_, at) => isShown(at));
  const cells = rows.map((row) => row.filter((_, at) => isShown(at)));
  const write = layOut(shown, cells, width - INDENT.length);
  const head = style.dim(`${INDENT}${write(shown.map(({ heading }) => heading))}`);
  return [head, ...cells.map((row, at) => `${INDENT}${stressed(write(row), rows[at]![SPENT]!, style)}`)];
}

/** Whether the id, what repeated and the amount fit into one line: an amount is never cut. */
function hasRoomForAmounts(rows: readonly (readonly string[])[], width: number): boolean {
  const [id, what, spent] = [0, WHAT, SPENT].map((column) => {
    const { heading, minimum = Infinity } = COLUMNS[column]!;
    return Math.min(minimum, Math.max(heading.length, ...rows.map((row) => columnsOf(row[column]!))));
  });
  return 3 * INDENT.length + id! + what! + spent! <= width;
}

/** A loop in two lines, the amount below what repeated. */
function stacked(row: readonly string[], { width, style }: WorstLoopsOptions): readonly string[] {
  const [id, what, spent] = [row[0]!, row[WHAT]!, row[SPENT]!];
  const room = width - 2 * INDENT.length - columnsOf(id);
  const amount = spent === NOTHING ? spent : style.alarm(spent);
  return [`${INDENT}${id}${INDENT}${cutToWidth(what, room, "middle")}`, `${INDENT}${INDENT}${amount}`];
}

/** A line whose last figure, and what follows it, has a colour. */
function stressed(line: string, figure: string, style: Style): string {
  const at = line.lastIndexOf(figure);
  return at === -1 || figure === NOTHING ? line : `${line.slice(0, at)}${style.alarm(line.slice(at))}`;
}

function titleOf(shown: number, all: number): string {
  if (shown === all) return all === 1 ? "The loop" : `The ${count(all)} loops`;
  return `The worst ${count(shown)} of ${count(all, "loop")} (--top ${all} names all)`;
}

/** What repeated, and how many repeats did not count: `Read auth.ts (9 after a pause)`. */
function whatOf(loop: LoopSummary): string {
  const passed = passedOver(loop)?.replace(" of them", "");
  return `${loop.what.slice(0, MAX_TEXT)}${passed === undefined ? "" : ` (${passed})`}`;
}

function rowOf(loop: LoopSummary, session: SessionSummary | undefined, now: number): string[] {
  const recorded = loop.at ?? session?.startedAt ?? null;
  const at = recorded ?? session?.endedAt ?? null;
  const of = recorded === null && session?.isFileTime === true ? " (file)" : "";
  return [
    printable(loop.session),
    printable(whatOf(loop)),
    `${count(loop.count)}x`,
    printable(kindWords(loop.kind, loop.areEqual).name.toLowerCase()),
    printable((session?.agentName ?? "").slice(0, MAX_TEXT)),
    printable((session?.project ?? "").slice(0, MAX_TEXT)),
    at === null ? "" : `${timeAgo(Date.parse(at), now)}${of}`,
    isNothing(loop.afterOnset) ? NOTHING : lateFigures(loop.afterOnset)[0]!,
  ];
}

/** What was repeated most, and why it is no loop. Empty if nothing was. Escapes all foreign text. */
function repeatLines({ repeated }: Report, { width, style }: ScanSummaryOptions): string {
  if (repeated.length === 0) return "";
  const lines = repeated.map((call) => {
    const { what, why } = repeatInWords(call);
    const indent = `${INDENT}${INDENT}`;
    return `${INDENT}${wrapText(printable(what), width - INDENT.length, indent)}\n${indent}${wrapText(printable(why), width - indent.length, indent)}`;
  });
  return [style.strong("Repeated most, and why it is no loop"), ...lines].join("\n");
}
