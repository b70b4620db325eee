import type { LoopSummary, Report, SessionSummary } from "../scan/report.ts";
import { moneyInWords, shortNumber, tokensInWords } from "../terminal/amounts.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { count } from "../terminal/count.ts";
import { columnsOf, cutToWidth, printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { timeAgo } from "../terminal/time-ago.ts";
import { wrapList, wrapText } from "../terminal/wrap.ts";
import { hookSentences } from "./hook-sentences.ts";

export interface ScanSummaryOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly style: Style;
  /** How many of the worst loops are named. */
  readonly top: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What was looked at: `the last 30 days`. */
  readonly scope: string;
  /** Agents' names for people. */
  readonly labelOf: (agent: string) => string;
  /** One line only. */
  readonly isQuiet: boolean;
  /** Where nothing was found, what to try. */
  readonly hint: string;
  /** The command that shows a session. */
  readonly showCommand: (session: string) => string;
}

const COLUMNS: readonly Column[] = [
  { heading: "what repeated", minimum: 14, weight: 2, cut: "middle" },
  { heading: "times", align: "right" },
  { heading: "kind", minimum: 8 },
  { heading: "agent", minimum: 6 },
  { heading: "project", minimum: 6, cut: "middle" },
  { heading: "when" },
  { heading: "spent after", align: "right" },
];
const PROJECT = 4;
/** The width from which kind, agent, project and time are shown: what repeated and what it cost say more. */
const ROOM_FOR: Readonly<Record<number, number>> = { 2: 100, 3: 72, 4: 72, 5: 54 };
const INDENT = "  ";
const MAX_BAR = 24;
const MAX_TEXT = 200;

/** What a scan found, in words for a terminal. Everything foreign is escaped. */
export function scanSummary(report: Report, options: ScanSummaryOptions): string {
  const { totals } = report;
  const hooks = options.isQuiet ? "" : wrapText(hookSentences(report.hooks), options.width);
  if (totals.sessions === 0) return joined([`No sessions found (${options.scope}).`, options.hint, hooks], "\n");
  if (options.isQuiet) return `${sentence(report, options)}\n`;
  if (totals.loops === 0) return joined([sentence(report, options), hooks], "\n");
  const parts = [
    heading(report, options),
    kinds(report, options),
    spent(report, options),
    worst(report, options),
    hooks,
    next(report, options),
  ];
  return joined(parts, "\n\n");
}

function joined(parts: readonly string[], separator: string): string {
  return `${parts.filter((part) => part !== "").join(separator)}\n`;
}

/** All of it in one line. */
function sentence({ totals }: Report, { style, scope }: ScanSummaryOptions): string {
  const size = `${count(totals.sessions, "session")}, ${count(totals.calls, "call")} (${scope})`;
  if (totals.loops === 0) return style.good(`No loops in ${size}.`);
  return `${count(totals.loops, "loop")} in ${totals.sessionsWithLoops.toLocaleString("en-US")} of ${size}.`;
}

function heading(report: Report, { style, scope, labelOf, width }: ScanSummaryOptions): string {
  const { totals, sessions } = report;
  const agents = new Map<string, number>();
  for (const { agent } of sessions) agents.set(agent, (agents.get(agent) ?? 0) + 1);
  const listed = [...agents]
    .sort((one, other) => other[1] - one[1])
    .map(([agent, number]) => cutToWidth(`${printable(labelOf(agent))} ${number.toLocaleString("en-US")}`, width - 1));
  const title = `${count(totals.loops, "loop")} in ${totals.sessionsWithLoops.toLocaleString("en-US")} of ${count(totals.sessions, "session")}`;
  return [
    wrapText(`${style.strong(title)}, ${count(totals.calls, "call")}, ${scope}`, width),
    style.dim(wrapList(listed, width)),
  ].join("\n");
}

function kinds({ totals }: Report, { style, width }: ScanSummaryOptions): string {
  const rows = Object.entries(totals.loopsByKind).sort((one, other) => other[1] - one[1]);
  const most = rows[0]?.[1] ?? 1;
  const nameWidth = Math.max(...rows.map(([kind]) => columnsOf(printable(kind))));
  const numberWidth = Math.max(...rows.map(([, number]) => number.toLocaleString("en-US").length));
  const room = Math.min(MAX_BAR, width - INDENT.length - nameWidth - numberWidth - 4);
  const lines = rows.map(([kind, number]) => {
    const bar = room < 4 ? "" : style.alarm("■".repeat(Math.max(1, Math.round((number / most) * room))));
    const name = printable(kind).padEnd(nameWidth);
    return `${INDENT}${name}  ${number.toLocaleString("en-US").padStart(numberWidth)}  ${bar}`.trimEnd();
  });
  return lines.join("\n");
}

/** What was spent after the guard would have spoken: a range, and no promise. */
function spent(report: Report, options: ScanSummaryOptions): string {
  const { afterOnset, tokens, costUsd, unpricedSessions, sessions } = report.totals;
  const parts = [count(afterOnset.calls, "call")];
  if (afterOnset.tokens !== null) parts.push(tokensInWords(afterOnset.tokens));
  if (afterOnset.costUsd !== null) parts.push(moneyInWords(afterOnset.costUsd));
  const all = [tokens === null ? "" : tokensInWords(tokens), costUsd === null ? "" : moneyInWords(costUsd)].filter(
    (part) => part !== "",
  );
  const sentences = [`Spent after the guard would have spoken: ${options.style.strong(parts.join(", "))}.`];
  if (all.length > 0) sentences.push(`All sessions: ${all.join(", ")}.`);
  if (report.pricesAsOf !== null) sentences.push(`Prices of ${report.pricesAsOf}.`);
  if (unpricedSessions > 0 && costUsd !== null)
    sentences.push(
      `${unpricedSessions.toLocaleString("en-US")} of ${count(sessions, "session")} used models without a known price.`,
    );
  return wrapText(sentences.join(" "), options.width);
}

function worst(report: Report, options: ScanSummaryOptions): string {
  const { style, top, width } = options;
  const sessions = new Map(report.sessions.map((session) => [session.id, session]));
  const chosen = report.loops.slice(0, top);
  const rows = chosen.map((loop) => rowOf(loop, sessions.get(loop.session), options));
  const hasProjects = rows.some((row) => row[PROJECT] !== "");
  const isShown = (at: number): boolean => width >= (ROOM_FOR[at] ?? 0) && (at !== PROJECT || hasProjects);
  const shown = COLUMNS.filter((_, at) => isShown(at));
  const cells = rows.map((row) => row.filter((_, at) => isShown(at)));
  const write = layOut(shown, cells, width - INDENT.length);
  const title = style.strong(
    chosen.length === 1
      ? "The loop"
      : `The ${chosen.length === report.loops.length ? "" : "worst "}${chosen.length} loops`,
  );
  const head = style.dim(`${INDENT}${write(shown.map(({ heading: name }) => name))}`);
  return [title, head, ...cells.map((row) => `${INDENT}${write(row)}`)].join("\n");
}

function rowOf(loop: LoopSummary, session: SessionSummary | undefined, { now, labelOf }: ScanSummaryOptions): string[] {
  const recorded = loop.at ?? session?.startedAt ?? null;
  const at = recorded ?? session?.endedAt ?? null;
  const of = recorded === null && session?.isFileTime === true ? " (file)" : "";
  return [
    printable(loop.what.slice(0, MAX_TEXT)),
    `${loop.count.toLocaleString("en-US")}x`,
    printable(loop.kind),
    printable(labelOf(session?.agent ?? "").slice(0, MAX_TEXT)),
    printable((session?.project ?? "").slice(0, MAX_TEXT)),
    at === null ? "" : `${timeAgo(Date.parse(at), now)}${of}`,
    spentOn(loop),
  ];
}

/** The most that a loop cost after the guard's first word: money if it is known, else tokens, else calls. */
function spentOn({ afterOnset: { calls, tokens, costUsd } }: LoopSummary): string {
  if (costUsd !== null && costUsd.high > 0) return moneyInWords({ ...costUsd, low: costUsd.high });
  if (tokens !== null && tokens.high > 0) return `${tokens.isEstimated ? "about " : ""}${shortNumber(tokens.high)} tok`;
  return calls === 0 ? "-" : count(calls, "call");
}

/** Not wrapped: it is there to be copied. */
function next(report: Report, { style, showCommand }: ScanSummaryOptions): string {
  return `Next: ${style.strong(showCommand(report.loops[0]!.session))}`;
}
