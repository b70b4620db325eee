import type { HabitFact } from "../../scan/report/habit-words.ts";
import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import type { WorkShare } from "../../scan/report/work.ts";
import {
  ABOUT_RESULT_TOKENS,
  ABOUT_TOOL_TIME,
  busiestInWords,
  checkInWords,
  compactionsInWords,
  dayInWords,
  failedChecks,
  failedInWords,
  fileInWords,
  readsInWords,
  resultTokens,
  timeInWords,
  timesReadInWords,
  tokensInParts,
  toolInWords,
  whereInWords,
  workKindInWords,
  workTimeInWords,
} from "../../scan/report/work-words.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut, wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";

interface WorkLook {
  readonly width: number;
  readonly style: Style;
}

const INDENT = "  ";
const MAX_TOOLS = 5;
const MAX_NAME = 60;

/** Where time and text went, by kind of work and by tool. Empty if no call was looked at. Escapes all foreign text. */
export function workLines({ work }: Pick<Report, "work">, { width, style }: WorkLook): string {
  if (work.calls === 0) return "";
  const hasTime = work.time !== null;
  const sides = [
    { heading: "by kind of work", rows: rowsOf(work.kinds, workKindInWords, { hasTime, style }) },
    { heading: "by tool", rows: rowsOf(withRest(work.tools), toolInWords, { hasTime, style }) },
  ].filter(({ rows }) => rows.length > 0);
  const columns = columnsFor(hasTime);
  // One layout for both, so that their figures stand in one row.
  const write = layOut(
    columns,
    sides.flatMap(({ rows }) => rows),
    width - INDENT.length,
  );
  const tables = sides.flatMap(({ heading, rows }, at) => [
    style.dim(`${INDENT}${write([heading, ...columns.slice(1).map((column) => (at === 0 ? column.heading : ""))])}`),
    ...rows.map((row) => `${INDENT}${write(row)}`),
  ]);
  const notes = [timeInWords(work), tokensInParts(work), hasTime ? ABOUT_TOOL_TIME : undefined, ABOUT_RESULT_TOKENS]
    .filter((words) => words !== undefined)
    .join(" ");
  return [
    style.strong(whereInWords(work)),
    ...tables,
    `${INDENT}${wrapText(notes, width - INDENT.length, INDENT)}`,
  ].join("\n");
}

function columnsFor(hasTime: boolean): readonly Column[] {
  return [
    { heading: "by kind of work", minimum: 12 },
    { heading: "calls", align: "right", isOptional: true },
    { heading: "failed", align: "right", isOptional: true },
    ...(hasTime ? [{ heading: "time", align: "right" } as const] : []),
    { heading: "result tokens", align: "right" },
    { heading: "", isOptional: true },
  ];
}

interface RowLook extends Pick<WorkLook, "style"> {
  readonly hasTime: boolean;
}

function rowsOf(
  shares: readonly WorkShare[],
  nameOf: (name: string | null) => string,
  { hasTime, style }: RowLook,
): readonly (readonly string[])[] {
  const size = ({ timeMs, calls }: WorkShare): number => (hasTime ? timeMs : calls);
  const most = Math.max(...shares.filter(({ name }) => name !== null).map(size));
  return shares.map((share) => [
    printable(nameOf(share.name).slice(0, MAX_NAME)),
    count(share.calls),
    failedInWords(share) || "-",
    ...(hasTime ? [workTimeInWords(share.timeMs)] : []),
    resultTokens(share.characters),
    style.bar(most > 0 && share.name !== null ? size(share) / most : 0),
  ]);
}

/** The first tools, and all others added up. */
function withRest(tools: readonly WorkShare[]): readonly WorkShare[] {
  const others = tools.slice(MAX_TOOLS);
  if (others.length < 2) return tools;
  const sum = (field: "calls" | "failed" | "timeMs" | "characters"): number =>
    others.reduce((total, tool) => total + tool[field], 0);
  const rest = { name: null, calls: sum("calls"), failed: sum("failed"), timeMs: sum("timeMs") };
  return [...tools.slice(0, MAX_TOOLS), { ...rest, characters: sum("characters") }];
}

const MAX_LISTED = 2;

/** What is worth knowing of the work, besides where it went. Contains text from transcripts: escape before showing. */
export function workFacts({ work }: Pick<Report, "work">): readonly HabitFact[] {
  const reads = readsInWords(work);
  const compactions = compactionsInWords(work);
  const { days } = work;
  const facts: readonly HabitFact[] = [
    {
      name: "Read again",
      lines: [
        ...work.files.most
          .slice(0, MAX_LISTED)
          .map((file) => `${fileInWords(file)}, ${timesReadInWords(file)}, session ${file.session}`),
        ...(reads === undefined ? [] : [reads]),
      ],
    },
    {
      name: "Checks that failed",
      lines: failedChecks(work)
        .slice(0, MAX_LISTED)
        .map((check) => `${check.what}, ${checkInWords(check)}`),
    },
    { name: "Compactions", lines: compactions === undefined ? [] : [compactions] },
    {
      name: "A day",
      lines: days === null ? [] : [dayInWords(days), ...busiest(days)],
    },
  ];
  return facts.filter(({ lines }) => lines.length > 0);
}

function busiest(days: NonNullable<Report["work"]["days"]>): readonly string[] {
  const words = busiestInWords(days);
  return words === undefined ? [] : [`busiest: ${words}`];
}
