import { shortNumber } from "./amounts.ts";
import { agentInWords } from "./headline.ts";
import type { Report } from "./report.ts";
import { count, spanInWords } from "./words.ts";
import type { ActiveDays, CheckRuns, FileRead, Work, WorkShare } from "./work.ts";

const KINDS = new Map<string, string>(
  Object.entries({
    look: "Reading and searching",
    write: "Changing files",
    test: "Checks and builds",
    act: "Other commands",
    say: "Plans and subagents",
    watch: "Web and services",
    move: "Browser and screen",
    wait: "Waiting",
  }),
);

/** A kind of work in plain words. An unknown kind keeps its own name: escape before showing. */
export function workKindInWords(kind: string | null): string {
  return kind === null ? OTHERS : (KINDS.get(kind) ?? kind);
}

const OTHERS = "all others";

/** A tool's name. The rest of the tools has none. */
export function toolInWords(tool: string | null): string {
  return tool ?? OTHERS;
}

const HOUR_MS = 3_600_000;

/** How long agents worked: `4 min 10 s`, `3.5 h`, `154 h`. Work is counted in hours, because days are longer than it. */
export function workTimeInWords(timeMs: number): string {
  if (timeMs < HOUR_MS) return spanInWords(timeMs);
  const hours = timeMs / HOUR_MS;
  return `${hours < 9.95 ? hours.toFixed(1) : count(hours)} h`;
}

const CHARACTERS_IN_TOKEN = 4;

/** What results add to the conversation, as tokens: `3.8M`. An estimate, from the number of characters. */
export function resultTokens(characters: number): string {
  return shortNumber(characters / CHARACTERS_IN_TOKEN);
}

/** How tokens of results are estimated. */
export const ABOUT_RESULT_TOKENS = "Tokens of results are estimated: one for four characters.";
/** What the time of a call includes. */
export const ABOUT_TOOL_TIME = "The time of a call includes waiting for a person who allows it.";

/** A part of a whole: `12.9%`. A part that is not nothing is never shown as nothing. */
export function partInWords(part: number, whole: number): string {
  if (whole <= 0) return "0%";
  const percent = (100 * Math.min(part, whole)) / whole;
  return percent > 0 && percent < 0.1 ? "under 0.1%" : `${percent.toFixed(1)}%`;
}

/** How the time of agents is shared out: `Agents worked 252 h: 153 h in tools (60.9%), 99 h in models (39.1%).` */
export function timeInWords({ time }: Pick<Work, "time">): string | undefined {
  if (time === null) return undefined;
  const { toolsMs, modelMs } = time;
  const whole = toolsMs + modelMs;
  if (whole < 1_000) return undefined;
  const part = (ms: number): string => `${workTimeInWords(ms)} (${partInWords(ms, whole)})`;
  return `Agents worked ${workTimeInWords(whole)}: tools took ${part(toolsMs)}, models ${part(modelMs)}.`;
}

/** Where tokens went: `Of 1.2M tokens, 92.1% were the conversation so far, read from the cache, ...`. */
export function tokensInParts({ tokens }: Pick<Work, "tokens">): string | undefined {
  if (tokens === null) return undefined;
  const { input, cacheRead, cacheWrite, output } = tokens;
  const whole = input + cacheRead + cacheWrite + output;
  if (whole === 0) return undefined;
  const part = (amount: number): string => partInWords(amount, whole);
  const fresh = input + cacheWrite;
  return `Of ${shortNumber(whole)} tokens, ${part(cacheRead)} were the conversation so far, read from the cache; ${part(fresh)} were new or not cached, and models wrote ${part(output)}.`;
}

/** The heading of the shares: transcripts may have no times. */
export function whereInWords({ time }: Pick<Work, "time">): string {
  return time === null ? "Where tokens went" : "Where time and tokens went";
}

/** How many calls of a share failed: `4.7%`. Empty if none did. */
export function failedInWords({ failed, calls }: Pick<WorkShare, "failed" | "calls">): string {
  return failed === 0 ? "" : partInWords(failed, calls);
}

/** A file's base name, or what is known of it. */
export function fileInWords({ what }: Pick<FileRead, "what">): string {
  return what ?? "a file whose name is not shown";
}

/** How often files were read again. Undefined if none was. */
export function readsInWords({ files: { reads, again, unchanged } }: Pick<Work, "files">): string | undefined {
  if (again === 0) return undefined;
  const same = unchanged === 0 ? "" : `; ${count(unchanged)} of them returned the same text as before`;
  return `${count(again)} of ${count(reads, "read")} (${partInWords(again, reads)}) were of a file that the session had read before${same}`;
}

/** A file that was read often: `44 times in one session, 5 of them unchanged`. */
export function timesReadInWords({ times, unchanged }: Pick<FileRead, "times" | "unchanged">): string {
  return `${count(times, "time")} in one session${unchanged === 0 ? "" : `, ${count(unchanged)} of them unchanged`}`;
}

/** How often a check failed: `249 of 1,935 runs (12.9%)`. */
export function checkInWords({ runs, failed }: Pick<CheckRuns, "runs" | "failed">): string {
  return `${count(failed)} of ${count(runs, "run")} (${partInWords(failed, runs)})`;
}

/** The checks that failed at all, most failures first. */
export function failedChecks({ checks }: Pick<Work, "checks">): readonly CheckRuns[] {
  return checks.filter(({ failed }) => failed > 0);
}

/** How often conversations were compacted, and what followed. Undefined if none was. */
export function compactionsInWords({ compactions }: Pick<Work, "compactions">): string | undefined {
  const { count: number, sessions, readAgain } = compactions;
  if (number === 0) return undefined;
  const after =
    readAgain === 0 ? "" : `; after ${number === 1 ? "it" : "them"}, ${count(readAgain, "file")} had to be read again`;
  return `${count(number)} in ${count(sessions, "session")}${after}`;
}

/** What a day looks like: `on average 289 calls and 6.5 sessions; most calls between 15:00 and 16:00`. */
export function dayInWords({ days, sessions, hours }: ActiveDays): string {
  const calls = count(hours.reduce((sum, number) => sum + number, 0) / days, "call");
  const most = hours.indexOf(Math.max(...hours));
  const perDay = (sessions / days).toFixed(1).replace(/\.0$/, "");
  const each = `${perDay} ${perDay === "1" ? "session" : "sessions"}`;
  const typical = days === 1 ? calls : `on average ${calls} and ${each}`;
  return `${typical}; most calls between ${clock(most)} and ${clock(most + 1)}`;
}

/** The day with most calls: `2026-02-21, with 2,734 calls`. Undefined if there is only one day. */
export function busiestInWords({ days, busiest }: ActiveDays): string | undefined {
  return days === 1 ? undefined : `${busiest.date}, with ${count(busiest.calls, "call")}`;
}

/** An hour of the day: `15:00`. */
export function clock(hour: number): string {
  return `${String(hour % 24).padStart(2, "0")}:00`;
}

/** Fewer repeats are nothing to tell others about. */
const REMARKABLE = 10;

/**
 * What stands out most where there is no loop, in one sentence: `An agent read explain.go 44 times in one session`.
 * Undefined if nothing does. Contains text from transcripts: escape before showing.
 */
export function standoutInWords({ sessions, work }: Pick<Report, "sessions" | "work">): string | undefined {
  const file = work.files.most.find(({ what, times }) => what !== null && times >= REMARKABLE);
  if (file === undefined) return undefined;
  const agent = agentInWords(sessions.find(({ id }) => id === file.session)?.agentName);
  return `${agent} read ${file.what} ${count(file.times, "time")} in one session`;
}
