import { dirname } from "node:path";
import type { Examination } from "../../agents/doctor/examine-agent.ts";
import type { LoopTrial, Said } from "../../agents/doctor/try-loop.ts";
import type { AgentEvents, UnreadableEvents } from "../../agents/hook/agent-events.ts";
import { count } from "../../scan/report/words.ts";
import { cutToWidth, printable } from "../../system/printable.ts";
import { wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";
import { timeAgo } from "../terminal/time-ago.ts";

export interface DoctorLook {
  readonly width: number;
  readonly style: Style;
  /** A path for people, for example with `~`. */
  shown(path: string): string;
}

const TWICE =
  "The plugin is on as well. Each call is checked once, but both start a process. You need only one of them.";
const AS_TOLD = "attended unless the agent reports that nobody is watching";
const NAME_WIDTH = 9;
const INDENT = " ".repeat(NAME_WIDTH + 2);

/** The result of the checks on one agent. */
export function doctorReport(examination: Examination & Partial<AgentEvents[string]>, look: DoctorLook): string {
  const { agent, files, version, isPackage, mode, trial, trust, hasPlugin, unreadable, faults } = examination;
  const { style, width } = look;
  const row = (name: string, words: string): string =>
    `  ${name.padEnd(NAME_WIDTH)}${wrapText(words, width - INDENT.length).replaceAll("\n", `\n${INDENT}`)}`;
  const isUnattended = mode === "unattended";
  return [
    `${style.strong(agent.label)} ${version === undefined ? style.dim(`(its program is ${isPackage ? "a package of this project: not run" : "not on the path"})`) : printable(version)}`,
    row("wired", `${placesOf(files).map(look.shown).join(", ")}, ${mode ?? AS_TOLD}`),
    ...(trial === undefined || trial.times.length === 0
      ? []
      : trialRows(trial, isUnattended, row, agent.doctor?.asksWhere)),
    ...(agent.cannot === undefined ? [] : [row("cannot", `${agent.cannot.join(". It cannot ")}.`)]),
    ...(trust === undefined ? [] : [row("trust", trust.isFault ? style.alarm(trust.words) : trust.words)]),
    ...(hasPlugin ? [row("plugin", TWICE)] : []),
    ...(unreadable === undefined
      ? []
      : [row("unread", `${eventsInWords(unreadable)}. Another program may run the hook.`)]),
    ...faults.map((fault) => row("fault", style.alarm(printable(fault)))),
    "",
  ].join("\n");
}

/** Several files in one folder are shown as the folder. */
function placesOf(files: readonly string[]): readonly string[] {
  return files.length === 1 ? files : [...new Set(files.map((file) => dirname(file)))];
}

function trialRows(
  { nudge, block, question, times }: LoopTrial,
  isUnattended: boolean,
  row: (name: string, words: string) => string,
  asksWhere: string | undefined,
): readonly string[] {
  return [
    row("nudge", nudge === undefined ? "none" : `at call ${nudge.call} of a loop: ${quoted(nudge)}`),
    ...(question === undefined ? [] : [row("question", `at call ${question.call}: you would be asked, ${asksWhere}`)]),
    row("block", block === undefined ? noBlock(isUnattended) : `at call ${block.call}: ${quoted(block)}`),
    row("time", `${timesOf(times)} an event`),
  ];
}

function noBlock(isUnattended: boolean): string {
  return isUnattended ? "none" : "never while attended; doomloop init --unattended for runs that nobody is watching";
}

/** How many events a hook could not read, and when the latest came. */
export function eventsInWords({ count: events, at }: UnreadableEvents): string {
  return `${count(events, "event")}, the latest ${timeAgo(at, Date.now())}`;
}

const MAX_WORDS = 100;

function quoted({ words }: Said): string {
  return `"${cutToWidth(printable(words.replaceAll(/\s+/g, " ")), MAX_WORDS).replace(/ \S*…$/, " …")}"`;
}

function timesOf(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${Math.round(median)} ms (worst ${Math.round(sorted.at(-1) ?? 0)} ms)`;
}
