import { knownSpending } from "../../scan/report/amounts.ts";
import { count } from "../../scan/report/count.ts";
import { kindWords } from "../../scan/report/kind-words.ts";
import type { LoopSummary, Report, SessionSummary } from "../../scan/report/report.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";
import { timeAgo } from "../terminal/time-ago.ts";

export interface WorstLoopsOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly style: Style;
  /** How many are named. */
  readonly top: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const COLUMNS: readonly Column[] = [
  { heading: "session" },
  { heading: "what repeated", minimum: 14, weight: 2, cut: "middle" },
  { heading: "times", align: "right" },
  { heading: "kind", minimum: 8 },
  { heading: "agent", minimum: 6 },
  { heading: "project", minimum: 6, cut: "middle" },
  { heading: "when" },
  { heading: "spent after", align: "right", minimum: 10 },
];
const PROJECT = 5;
/** The width from which kind, agent, project and time are shown: what repeated and what it cost say more. */
const ROOM_FOR: Readonly<Record<number, number>> = { 2: 54, 3: 110, 4: 90, 5: 90, 6: 72 };
const INDENT = "  ";
const MAX_TEXT = 200;

/** The loops that cost most, a line each, with the id by which `show` opens it. Everything foreign is escaped. */
export function worstLoops(report: Report, { style, top, width, now }: WorstLoopsOptions): string {
  const sessions = new Map(report.sessions.map((session) => [session.id, session]));
  const chosen = report.loops.slice(0, top);
  const rows = chosen.map((loop) => rowOf(loop, sessions.get(loop.session), now));
  const hasProjects = rows.some((row) => row[PROJECT] !== "");
  const isShown = (at: number): boolean => width >= (ROOM_FOR[at] ?? 0) && (at !== PROJECT || hasProjects);
  const shown = COLUMNS.filter((_, at) => isShown(at));
  const cells = rows.map((row) => row.filter((_, at) => isShown(at)));
  const write = layOut(shown, cells, width - INDENT.length);
  const head = style.dim(`${INDENT}${write(shown.map(({ heading }) => heading))}`);
  return [
    style.strong(titleOf(chosen.length, report.loops.length)),
    head,
    ...cells.map((row) => `${INDENT}${write(row)}`),
  ].join("\n");
}

function titleOf(shown: number, all: number): string {
  if (shown === all) return all === 1 ? "The loop" : `The ${count(all)} loops`;
  return `The worst ${count(shown)} of ${count(all, "loop")} (--top ${all} names all)`;
}

function rowOf(loop: LoopSummary, session: SessionSummary | undefined, now: number): string[] {
  const recorded = loop.at ?? session?.startedAt ?? null;
  const at = recorded ?? session?.endedAt ?? null;
  const of = recorded === null && session?.isFileTime === true ? " (file)" : "";
  return [
    printable(loop.session),
    printable(loop.what.slice(0, MAX_TEXT)),
    `${count(loop.count)}x`,
    printable(kindWords(loop.kind).name.toLowerCase()),
    printable((session?.agentName ?? "").slice(0, MAX_TEXT)),
    printable((session?.project ?? "").slice(0, MAX_TEXT)),
    at === null ? "" : `${timeAgo(Date.parse(at), now)}${of}`,
    spentOn(loop),
  ];
}

/** What was spent after the guard's first word: money if it is known, else tokens, else calls. */
function spentOn({ afterOnset }: LoopSummary): string {
  return knownSpending(afterOnset) ?? (afterOnset.calls === 0 ? "-" : count(afterOnset.calls, "call"));
}
