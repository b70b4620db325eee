import type { LogEntry } from "../../agents/hook/intervention-log.ts";
import { kindWords } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";
import { wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";
import { dateAndTime } from "../terminal/time-ago.ts";
import { questionInWords, VERDICT_WORDS } from "./opinion-words.ts";

interface LogLook {
  readonly width: number;
  readonly style: Style;
  shown(path: string): string;
}

const INDENT = "  ";
const DONE: Readonly<Record<Exclude<LogEntry["said"], "outcome">, string>> = {
  words: "told the agent",
  question: "asked you",
  refusal: "refused a call",
  end: "ended the run",
  alarm: "could not end the run",
  "start-over": "told the agent to start over",
  allowed: "you dismissed it",
  opinion: "asked another model",
};

/** What hooks said, oldest first: when and where, what was seen and said, what the agent did next, and how to undo it. */
export function logLines(entries: readonly LogEntry[], look: LogLook): string {
  return entries
    .flatMap((entry, at) => (entry.said === "outcome" ? [] : [entryLines(entry, entries.slice(at + 1), look)]))
    .join("\n");
}

function entryLines(entry: LogEntry, later: readonly LogEntry[], { width, style, shown }: LogLook): string {
  const { at, said, times = 1, host = "", session = "", folder, words } = entry;
  const indented = (text: string): string =>
    `${INDENT}${wrapText(text, width - INDENT.length).replaceAll("\n", `\n${INDENT}`)}`;
  const what = times > 1 ? `refused ${times} calls` : DONE[said as keyof typeof DONE];
  const isGrave = said === "end" || said === "alarm" || said === "refusal" || said === "start-over";
  const seen = seenIn(entry);
  const where = [host, session.slice(0, 8), folder && shown(folder)]
    .filter(Boolean)
    .map((text) => printable(`${text}`));
  return [
    `${style.dim(dateAndTime(at))} ${isGrave ? style.alarm(what) : style.strong(what)}${seen === undefined ? "" : `: ${seen}`}`,
    indented(where.join(", ")),
    ...(words === undefined ? [] : [indented(`"${printable(words.replaceAll(/\s+/g, " "))}"`)]),
    ...nextLines(entry, later).map(indented),
    "",
  ].join("\n");
}

/** What it was about, if that is known. */
function seenIn({ said, kind, tool, count, verdict = "none" }: LogEntry): string | undefined {
  if (said === "opinion") return VERDICT_WORDS[verdict];
  if (kind === undefined) return undefined;
  return `${kindWords(kind).name}${tool === undefined ? "" : ` (${printable(tool)})`}${count === undefined ? "" : `, ${count} times`}`;
}

/** What the agent did next, and how to undo what was done. */
function nextLines(entry: LogEntry, later: readonly LogEntry[]): readonly string[] {
  const { said, session, host, checkpoint } = entry;
  if (said === "opinion") return [questionInWords(entry)];
  const next = later.find(
    (one) => one.session === session && one.host === host && (one.obeyed ?? one.ignored) !== undefined,
  );
  const outcome =
    said !== "words" || next === undefined
      ? []
      : [(next.obeyed ?? 0) > 0 ? "The agent then did something else." : "The agent went on the same way."];
  return [
    ...outcome,
    ...(checkpoint === undefined ? [] : [`Latest checkpoint: ${checkpoint}. See doomloop restore --dry-run.`]),
    ...(said === "allowed" ? [] : ["Not a loop? Run doomloop allow in that folder."]),
  ];
}
