import type { Finding, FindingKind } from "../detectors/index.ts";
import type { FindingFacts } from "../finding.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import type { LadderAnswer, Rung } from "../policy/rungs.ts";
import { callCycleSentence } from "./call-cycle.ts";
import { failureStreakSentence } from "./failure-streak.ts";
import { fleetSentence } from "./fleet.ts";
import { repeatedCallSentence } from "./repeated-call.ts";
import { repeatedTextSentence } from "./repeated-text.ts";
import { sameOutcomeSentence } from "./same-outcome.ts";
import type { Sentence } from "./sentence.ts";
import { similarCallSentence } from "./similar-call.ts";
import { stalledSentence } from "./stalled.ts";
import { testFixSentence } from "./test-fix.ts";
import { textOnlySentence } from "./text-only.ts";

const SENTENCES: { readonly [Kind in FindingKind]: Sentence<Extract<Finding, { kind: Kind }>> } = {
  "call-cycle": callCycleSentence,
  "failure-streak": failureStreakSentence,
  fleet: fleetSentence,
  "repeated-call": repeatedCallSentence,
  "repeated-text": repeatedTextSentence,
  "same-outcome": sameOutcomeSentence,
  "similar-call": similarCallSentence,
  stalled: stalledSentence,
  "test-fix": testFixSentence,
  "text-only": textOnlySentence,
};

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

/** The words for a finding. */
export function sentenceFor(finding: Finding): Sentence<FindingFacts> {
  return SENTENCES[finding.kind] as Sentence<FindingFacts>;
}

/** The words to the agent: what happened, what to do instead, and what comes next. */
export function messageFor(finding: Finding, answer: LadderAnswer, outlook: Outlook): string {
  const sentence = sentenceFor(finding);
  const isFirst = answer.tone === "notice" || outlook.isRefused || answer.rung !== "nudge";
  const facts = `${opening(answer, outlook)}${isFirst ? sentence.says(finding) : sentence.insists(finding)}`;
  if (answer.rung === "stop") return `${MESSAGE_PREFIX} ${facts}`;
  if (answer.rung === "restart") return `${MESSAGE_PREFIX} ${facts}\n${numbered(START_OVER)}`;
  const shown = isFirst ? sentence.advises(finding).slice(0, 3) : (sentence.insistsOn?.(finding) ?? EXPECTATION);
  return `${MESSAGE_PREFIX} ${facts}\n${numbered(shown)}${warning(answer, outlook)}`;
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

function opening(answer: LadderAnswer, outlook: Outlook): string {
  if (answer.rung === "stop") return "Loop detected, and the run is stopped. ";
  if (answer.rung === "restart") return "Loop detected, and the run starts over. ";
  if (outlook.isRefused) return "This call was not run. ";
  if (answer.tone === "last") return "CRITICAL: you are in a loop. ";
  return answer.tone === "warning" ? "WARNING: you are in a loop. " : "";
}

function warning(answer: LadderAnswer, outlook: Outlook): string {
  if (answer.tone !== "last" && !outlook.isRefused) return "";
  if (outlook.isRefused && outlook.isAttended && outlook.next === undefined)
    return "\nThe user has been asked how to go on.";
  if (outlook.next === "stop") return "\nThis is the last warning: if you go on like this, the run will be stopped.";
  if (outlook.next === "restart") return "\nThis is the last warning: if you go on like this, the run will start over.";
  return "\nThis is the last warning: further calls like this one will be refused.";
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, at) => `${at + 1}. ${line}`).join("\n");
}
