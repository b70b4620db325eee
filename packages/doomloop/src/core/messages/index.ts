import type { Finding } from "../detectors/index.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import type { LadderAnswer, Lasting, Rung } from "../policy/rungs.ts";
import { spanOf, WAIT_ONCE } from "./sentence.ts";
import { sentenceFor } from "./sentences.ts";

/** What comes after the message that is being written. */
export interface Outlook {
  /** The rung that follows; undefined at the top. */
  readonly next: Rung | undefined;
  /** The call that this answers was refused, not run. */
  readonly isRefused: boolean;
  /** A human watches and can be asked. */
  readonly isAttended: boolean;
  /** Nothing is done, only reported. */
  readonly isShadow: boolean;
}

/** The words to the agent: what happened, what to do instead, and what comes next. */
export function messageFor(finding: Finding, answer: LadderAnswer, outlook: Outlook): string {
  const sentence = sentenceFor(finding);
  const isWaiting = sentence.isWaiting?.(finding) === true;
  const isFirst = answer.tone === "notice" || outlook.isRefused || answer.rung !== "nudge";
  const says = isFirst ? sentence.says(finding) : `${sentence.insists(finding)}${sinceThen(answer.lasting)}`;
  const facts = `${MESSAGE_PREFIX} ${opening(answer, outlook)}${says}`;
  if (answer.rung === "stop") return facts;
  if (answer.rung === "restart") return `${facts}\n${numbered(START_OVER)}`;
  const advice = isFirst ? sentence.advises(finding).slice(0, 3) : EXPECTATION;
  // First words are harmless if they are wrong.
  const unless =
    answer.tone !== "notice" ? "" : `${says.includes("\n") ? "\n" : " "}${isWaiting ? IF_WAITING : IF_INTENDED}`;
  return `${facts}${unless}\n${numbered(isWaiting ? WAIT_ONCE : advice)}${warning(answer, outlook)}`;
}

const IF_WAITING = "If you are waiting for something:";
const WAIT_FIRST = "If you are waiting for something, wait first, for example with `sleep 30`: then the call is run.";
const IF_INTENDED = "If you intend this, say what you expect to be different, and go on. Otherwise:";

/** How long ago the first words were said. */
function sinceThen(lasting: Lasting | undefined): string {
  if (lasting === undefined || lasting.calls < 1) return "";
  const { calls, ms } = lasting;
  const time = ms === undefined || ms < 1_000 ? "" : ` (${spanOf(ms)})`;
  return ` You were first told ${calls === 1 ? "1 call" : `${calls} calls`}${time} ago.`;
}

/** What happened, told to a person. */
export function factsFor(finding: Finding): string {
  return sentenceFor(finding)
    .says(finding)
    .replace(/^You /, "The agent ")
    .replace(/^Your /, "The agent's ");
}

/** The words to the human who runs the agent. */
export function explanationFor(finding: Finding, answer: LadderAnswer, outlook: Outlook): string {
  const said = factsFor(finding);
  if (answer.rung === "stop" && !outlook.isShadow) return `Stopped: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  const question = outlook.isAttended && answer.rung === "block" && outlook.next === undefined && !outlook.isShadow;
  const gap = said.includes("\n") ? "\n" : " ";
  const what = answer.rung === "stop" || outlook.isShadow ? UNDONE[answer.rung] : DONE[answer.rung];
  return `${said}${gap}${what}${question ? " Shall it go on, take another way, or stop?" : ""}`;
}

const DONE: Readonly<Record<Exclude<Rung, "stop">, string>> = {
  nudge: "It was told so.",
  block: "The call was refused.",
  restart: "The run starts over.",
};
const UNDONE: Readonly<Record<Rung, string>> = {
  nudge: "Outside shadow mode it would be told so.",
  block: "Outside shadow mode the call would be refused.",
  restart: "Outside shadow mode the run would start over.",
  stop: "Outside shadow mode the run would end here.",
};
/** Asked of whoever goes on: what the next time is for. */
const EXPECTATION = [
  "Before you do it again, say what you expect to be different. If nothing is, do not do it.",
  "Name one thing that you have not tried yet, and do that.",
  "If nothing is left to try, stop and explain what you are stuck on.",
];
const START_OVER = [
  "Begin anew with a fresh look at the problem.",
  "Take a fundamentally different approach.",
  "Do not repeat the actions that led into the loop.",
];

/** How a message begins that answers a call which was not run: it is known by that in a conversation that comes back. */
export const OPENINGS = {
  refused: "This call was not run. ",
  stopped: "Loop detected, and the run is stopped. ",
  restarted: "Loop detected, and the run starts over. ",
} as const;

function opening(answer: LadderAnswer, outlook: Outlook): string {
  if (answer.rung === "stop") return OPENINGS.stopped;
  if (answer.rung === "restart") return OPENINGS.restarted;
  if (outlook.isRefused) return OPENINGS.refused;
  if (answer.tone === "notice" || (answer.tone === "warning" && answer.next === undefined)) return "";
  return `${answer.tone === "last" ? "CRITICAL" : "WARNING"}: you are in a loop. `;
}

function warning(answer: LadderAnswer, { isRefused, isAttended, next }: Outlook): string {
  if (answer.tone !== "last" && !isRefused) return "";
  if (isRefused && isAttended && next === undefined) return "\nThe user has been asked how to go on.";
  // A refusal is not the last: there may be as many as calls.
  const begin = isRefused ? `\n${WAIT_FIRST}\nIf` : "\nThis is the last warning: if";
  if (next === "stop") return `${begin} you go on like this, the run will be stopped.`;
  if (next === "restart") return `${begin} you go on like this, the run will start over.`;
  return isRefused ? `\n${WAIT_FIRST}` : "\nThis is the last warning: further calls like this one will be refused.";
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${at + 1}. ${line}`).join("\n");
}
