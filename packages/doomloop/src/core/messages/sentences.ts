import type { Finding, FindingFacts, FindingKind, RepeatedCallFinding } from "../finding.ts";
import { fleet, opinion } from "./others-say.ts";
import {
  callsOf,
  exactCall,
  FIX_THE_CAUSE,
  PAUSE_BEFORE,
  PAUSE_BETWEEN,
  type Sentence,
  times,
  toolName,
} from "./sentence.ts";

type SentenceOf<Kind extends FindingKind> = Sentence<Extract<Finding, { kind: Kind }>>;

const MAX_LISTED = 3;
const ON_PURPOSE = "If you repeat it on purpose, go on. If not,";

/** A repeated call can be a look, a failure, an act or a check, and each needs words of its own. */
const repeatedCall: Sentence<RepeatedCallFinding> = {
  says({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You checked ${tool} ${times(count)}, and nothing has changed.`;
    const asked = evidence.isFuzzy
      ? `You asked ${tool} for the same thing ${times(count)}`
      : `You called ${tool} ${times(count)} with the same arguments`;
    return `${asked}${evidence.outcome === "blind" ? "" : whatCameOf(evidence)}.`;
  },
  fact({ tools: [tool], count, evidence }) {
    if (evidence.isWaiting) return `${toolName(tool)} showed no change in ${count} checks`;
    const { isFuzzy, outcome, isDone, isFailing } = evidence;
    if (outcome === "blind") return `you made ${isFuzzy ? "nearly this call" : exactCall(tool)} ${times(count)}`;
    const call = isFuzzy ? `asking ${toolName(tool)} for the same thing` : exactCall(tool);
    if (isDone) return `${call} worked ${times(count)}`;
    if (isFailing) return `${call} failed the same way ${times(count)}`;
    return `${call} gave ${outcome === "exact" ? "the same" : "nearly the same"} result ${times(count)}`;
  },
  advises({ evidence: { isWaiting, isBusy, isFailing, isDone, isStep, outcome } }) {
    if (isWaiting) return PAUSE_BETWEEN;
    if (isBusy) return PAUSE_BEFORE;
    if (isFailing) return "Read the error, and fix its cause before you call again. If you can't, report the error.";
    if (isDone) return `${ON_PURPOSE} do only what is still missing, and report the repeats.`;
    if (isStep) return `First look at what it changed. ${ON_PURPOSE} do the next step or try another way.`;
    return outcome === "blind"
      ? "Use what you have, or try another approach. Only if you are blocked, or the whole task is complete, say so."
      : "Use that result for the next step. If it isn't what you need, try another approach.";
  },
  corrects({ evidence: { isFailing, isDone, isStep, outcome } }) {
    if (isFailing) return FIX_THE_CAUSE;
    if (isDone) return "Don't do it again in any way. Do what is missing, and report the repeats.";
    if (isStep) return "Check what it changed. If nothing, try another way, or report what blocks you.";
    return `Use ${outcome === "blind" ? "what you have" : "that result"}, try another approach, or report what blocks you.`;
  },
  again: "Repeating it",
  warns: "Don't repeat it: it will be refused.",
  isWaiting: ({ evidence }) => evidence.isWaiting || evidence.isBusy,
  isDone: ({ evidence }) => evidence.isDone === true,
};

function whatCameOf({ isDone, isFailing, outcome }: RepeatedCallFinding["evidence"]): string {
  if (isDone) return ", and it worked each time";
  if (isFailing) return ", and it failed the same way each time";
  return ` and got ${outcome === "exact" ? "the same result" : "nearly the same result"} each time`;
}

const callCycle: SentenceOf<"call-cycle"> = {
  says: (finding) =>
    `You called ${lapOf(finding)} in turn, ${times(finding.count)}${finding.evidence.outcome === "blind" ? "" : ", and got the same results"}.`,
  fact(finding) {
    const { count, evidence } = finding;
    if (evidence.isWaiting) return `${lapOf(finding)} showed no change in ${count} checks`;
    if (evidence.outcome === "blind") return `you called ${lapOf(finding)} in turn, ${times(count)}`;
    return `calling ${lapOf(finding)} in turn gave the same results ${times(count)}`;
  },
  advises: ({ evidence }) =>
    evidence.isWaiting ? PAUSE_BETWEEN : "Read any error above again, then try another approach in smaller steps.",
  corrects: () => "Try another approach, or report what blocks you.",
  again: "Repeating them",
  warns: "Don't repeat them: they will be refused.",
  isWaiting: ({ evidence }) => evidence.isWaiting,
};

/** The calls of one lap: each tool once, because its name again says nothing. */
function lapOf({ period, evidence }: Extract<Finding, { kind: "call-cycle" }>): string {
  const names = [...new Set(evidence.sequence.map(toolName))];
  if (names.length === 1 && evidence.sequence.length === period) return `${names[0]} with ${period} different inputs`;
  const shown = names.length > MAX_LISTED ? names.slice(0, MAX_LISTED - 1) : names.slice(0, -1);
  const last = names.length > MAX_LISTED ? `${names.length - shown.length} more tools` : names.at(-1);
  return shown.length === 0 ? `${last}` : `${shown.join(", ")} and ${last}`;
}

const failureStreak: SentenceOf<"failure-streak"> = {
  says: ({ tools, count }) => `Your last ${count} calls to ${toolName(tools[0])} all failed.`,
  fact: ({ tools, count }) => `your last ${count} ${callsOf(tools[0])} all failed`,
  advises: ({ evidence }) =>
    evidence.isFileWork
      ? "Read the last error and fix its cause. To read, write or edit files, use file tools instead of cat, echo and sed."
      : "Read the last error. Find its cause with calls that only read; don't guess.",
  corrects: ({ evidence }) =>
    evidence.isFileWork
      ? "Try one safe command, such as `pwd`, then fix the error or report it."
      : "Find the cause with calls that only read, or report the error.",
  again: "Another guess",
  warns: "More failing calls will be refused.",
};

const repeatedText: SentenceOf<"repeated-text"> = {
  says: ({ count, evidence }) =>
    `Your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} said the same words ${times(count)}.`,
  fact: ({ count, evidence }) =>
    `your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} said the same words ${times(count)}`,
  advises: () => "Stop writing this. Give your answer once, or do the next step now.",
  corrects: () => "Don't write these words again. Do the next open step now. If you can't, say exactly what stops you.",
  again: "Repeating them",
  isTalk: true,
};

const sameOutcome: SentenceOf<"same-outcome"> = {
  says: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `Your last ${count} attempts failed in the same way. The last one used ${toolName(tools[0])}.`
      : `You called ${toolName(tools[0])} ${times(count)} with different arguments and got the same answer each time.`,
  fact: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `${count} different ${callsOf(tools[0])} failed the same way`
      : `${count} different ${callsOf(tools[0])} gave the same answer`,
  advises: ({ evidence }) =>
    evidence.isFailing
      ? "Find the cause before you try again: look at what all attempts share, such as a name or a path."
      : "If that answer is what you need, use it. If not, use another source or another tool.",
  corrects: ({ evidence }) =>
    evidence.isFailing
      ? "Find out why before you try again, or report the error."
      : "Use what you have or another source, or report what you couldn't find.",
};

const similarCall: SentenceOf<"similar-call"> = {
  says({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and every call failed" : ", and the results are the same";
    return `You called ${toolName(tools[0])} ${times(count)} with nearly the same arguments${evidence.outcome === "blind" ? "" : result}.`;
  },
  fact({ tools, count, evidence }) {
    const calls = `${count} nearly identical ${callsOf(tools[0])}`;
    if (evidence.outcome === "blind") return `you made ${calls}`;
    return `${calls} ${evidence.isFailing ? "all failed" : "gave the same results"}`;
  },
  advises: ({ evidence }) =>
    evidence.isFailing
      ? "Small changes haven't helped. Find out what the call needs, or use another tool."
      : "Use what you have, or look in another place.",
  corrects: ({ evidence }) =>
    evidence.isFailing
      ? "Find out what the call needs, use another tool, or report the error."
      : "Use what you have, look elsewhere, or report what you couldn't find.",
};

const stalled: SentenceOf<"stalled"> = {
  says: ({ tools, count, evidence }) =>
    `You called ${toolName(tools[0])} for nearly the same thing ${times(count)} and ${
      evidence.isEmpty ? "found nothing" : "learned nothing new"
    }.`,
  fact: ({ tools, count, evidence }) =>
    `${count} ${callsOf(tools[0])} for nearly the same thing ${evidence.isEmpty ? "found nothing" : "showed nothing new"}`,
  advises: ({ evidence }) =>
    evidence.isEmpty
      ? "It's probably not there. Look once in another place. If it isn't there either, say so and go on."
      : "You know all that this shows. Use it, or look in another place.",
  corrects: () => "Look elsewhere, or go on and report what you couldn't find.",
};

const testFix: SentenceOf<"test-fix"> = {
  says: ({ count, evidence: { failing } }) =>
    `The same check failed ${times(count)} in a row${
      failing === undefined ? "" : ` (${failing} ${failing === 1 ? "failure" : "failures"})`
    }, and the changes in between did not help.`,
  fact: ({ count }) => `the same check failed ${times(count)}, whatever you changed`,
  advises: () =>
    "Look at its last error. Make sure it uses the file you changed. Your approach may be wrong: try a different fix before you run it.",
  corrects: () => "Find the cause before you edit, or report that it still fails.",
  again: "Running it without a fix",
  warns: "Without a fix, it will be refused.",
};

const textOnly: SentenceOf<"text-only"> = {
  says: ({ count, evidence }) =>
    evidence.isRepeating
      ? `You gave the same answer again and did nothing (${count} answers without a tool call).`
      : `You gave ${count} answers in a row without a tool call.`,
  fact: ({ count, evidence }) =>
    evidence.isRepeating
      ? `you gave the same answer ${times(count)} without tools`
      : `your last ${count} answers had no tool call`,
  advises: () => "Do the next open task with a tool. If you need the user, or are done, say so once.",
  corrects: () => "Do the next open step with a tool, or say what you need.",
  again: "Another",
  isTalk: true,
};

const SENTENCES: { readonly [Kind in FindingKind]: SentenceOf<Kind> } = {
  "call-cycle": callCycle,
  "failure-streak": failureStreak,
  fleet,
  opinion,
  "repeated-call": repeatedCall,
  "repeated-text": repeatedText,
  "same-outcome": sameOutcome,
  "similar-call": similarCall,
  stalled,
  "test-fix": testFix,
  "text-only": textOnly,
};

/** The words for a finding. */
export function sentenceFor(finding: Finding): Sentence<FindingFacts> {
  return SENTENCES[finding.kind] as Sentence<FindingFacts>;
}
