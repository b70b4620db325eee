import type { LogEntry } from "../../agents/hook/intervention-log.ts";
import { count } from "../../scan/report/words.ts";
import { type OpinionSetting, shownEndpoint } from "../../service/opinion-setting.ts";
import { OPINION_LIMITS } from "../../service/session-opinions.ts";
import type { OpinionTrial } from "../../service/try-opinion.ts";
import { printable } from "../../system/printable.ts";
import { wrapText } from "../terminal/columns.ts";
import type { DoctorLook } from "./doctor-report.ts";

type Verdict = NonNullable<LogEntry["verdict"]>;

/** What became of a question, to follow "asked another model:". */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  stuck: "it says stuck",
  working: "it says working",
  unsure: "it is unsure",
  late: "its answer came too late",
  none: "no answer that could be read",
};

const REASON_WORDS: Readonly<Record<NonNullable<LogEntry["why"]>, string>> = {
  confirm: "before a first warning",
  hunch: "because outcomes repeat",
  patrol: "because the run is long",
};

/** What a question was about, and how long the answer took. */
export function questionInWords({ why, count: calls = 0, ms }: LogEntry): string {
  const about = `About ${count(calls, "call")}${why === undefined ? "" : `, ${REASON_WORDS[why]}`}`;
  return ms === undefined ? `${about}.` : `${about}. Took ${secondsOf(ms)}.`;
}

const ORDER: readonly Verdict[] = ["stuck", "working", "unsure", "late", "none"];
const SHORT: Readonly<Record<Verdict, string>> = {
  stuck: "stuck",
  working: "working",
  unsure: "unsure",
  late: "too late",
  none: "without an answer",
};

/** Who is asked, and what came of it today. */
export function opinionsInWords(setting: OpinionSetting, today: readonly LogEntry[]): string {
  const asked = today.filter(({ said }) => said === "opinion");
  const each = ORDER.map((verdict) => [asked.filter((entry) => entry.verdict === verdict).length, verdict] as const)
    .filter(([number]) => number > 0)
    .map(([number, verdict]) => `${number} ${SHORT[verdict]}`);
  const counts =
    asked.length === 0 ? "not asked today" : `asked ${count(asked.length, "time")} today: ${each.join(", ")}`;
  return `Second opinion: ${whoOf(setting)}, ${counts}.`;
}

function whoOf(setting: OpinionSetting): string {
  return `${printable(setting.model)} at ${printable(shownEndpoint(setting))}`;
}

const NAME_WIDTH = 9;
const INDENT = " ".repeat(NAME_WIDTH + 2);
/** What an excerpt comes to at most. */
const EXCERPT_TOKENS = 700;

/** The result of the trial, like that of an agent. */
export function opinionReport(setting: OpinionSetting, trial: OpinionTrial, { width, style }: DoctorLook): string {
  const row = (name: string, words: string): string =>
    `  ${name.padEnd(NAME_WIDTH)}${wrapText(words, width - INDENT.length).replaceAll("\n", `\n${INDENT}`)}`;
  const { answer, ms, constantTokens } = trial;
  const tokens = count(Math.round(constantTokens / 100) * 100);
  return [
    `${style.strong("Second opinion")} ${whoOf(setting)}`,
    row(
      "sends",
      `${setting.shows === "shapes" ? "shapes only, no text" : "short masked excerpts"}, ${setting.key === undefined ? "without a key" : "with a key"}`,
    ),
    "fault" in answer
      ? row("fault", style.alarm(printable(`${answer.fault}${hintFor(answer.fault)}`)))
      : row("answer", `${answerInWords(answer.verdict)}, after ${secondsOf(ms)}`),
    row(
      "cost",
      `about ${tokens} tokens that never change and up to ${EXCERPT_TOKENS} of the session for each question, and a short answer; at most ${OPINION_LIMITS.questions} questions a run`,
    ),
    "",
  ].join("\n");
}

function answerInWords(verdict: "stuck" | "working" | "unsure"): string {
  return verdict === "stuck"
    ? "can be read: it calls a made-up loop stuck"
    : `can be read, but it calls a made-up loop ${verdict}; another model may judge better`;
}

function hintFor(fault: string): string {
  if (/status 40[13]$/.test(fault))
    return ". Is the key right? Set DOOMLOOP_OPINION_KEY and run doomloop init with --opinion-url again";
  return /no answer within/.test(fault) ? ". A local model may still be loading: try again" : "";
}

function secondsOf(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
