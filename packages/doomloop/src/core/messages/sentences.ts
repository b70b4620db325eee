import type { Finding, FindingKind } from "../detectors/index.ts";
import type { FindingFacts } from "../finding.ts";
import { type Sentence, spanOf, times, toolName } from "./sentence.ts";

type SentenceOf<Kind extends FindingKind> = Sentence<Extract<Finding, { kind: Kind }>>;

const MAX_LISTED = 6;

const callCycle: SentenceOf<"call-cycle"> = {
  says({ count, period, evidence }) {
    const listed = evidence.sequence.slice(0, MAX_LISTED).map((tool, at) => `\n  ${at + 1}. ${toolName(tool)}`);
    return `You repeated the same sequence of ${period} calls ${times(count)}${evidence.outcome === "blind" ? "" : " with the same results"}:${listed.join("")}`;
  },
  advises: () => [
    "Read the results again: what do they tell you that you have not used?",
    "Choose one of the approaches that you alternate between, or take a third.",
    "Break the problem into smaller steps and check each one by itself.",
  ],
  insists: ({ count, period, evidence }) =>
    `You made the same ${period} calls ${times(count)}${evidence.outcome === "blind" ? "" : ", and no result has changed"}.`,
  isWaiting: ({ evidence }) => evidence.isWaiting,
};

/** A detector of the host's own has words of its own. */
const custom: SentenceOf<"custom"> = {
  says: ({ evidence }) => evidence.says,
  advises: ({ evidence }) => evidence.advises,
  insists: ({ evidence }) => `It goes on. ${evidence.says}`,
};

const failureStreak: SentenceOf<"failure-streak"> = {
  says: ({ tools, count }) => `The last ${count} calls of ${toolName(tools[0])} failed, one after the other.`,
  advises: ({ evidence }) => [
    evidence.isFileWork
      ? "Use the file tools for this (read, write, edit) instead of shell commands such as cat, echo and sed."
      : "Make one small call that is sure to work, then build on it.",
    "Check one assumption at a time: where you are, what is there, what is allowed.",
    "If you are blocked, say what blocks you.",
  ],
  insists: ({ count, tools }) => `None of the last ${count} calls of ${toolName(tools[0])} worked.`,
};

/** What other workers found is told in words of its own. */
const fleet: SentenceOf<"fleet"> = {
  says: ({ count, tools, evidence }) =>
    `In the last ${spanOf(evidence.windowMs)}, ${evidence.workers} workers made ${count} calls of ${toolName(tools[0])} like this one: each failed, or brought nothing new.`,
  advises: () => [
    "Do not make this call again: look for a way that does not need it.",
    "Leave it out for now, and do the rest of the task.",
    "Ask yourself whether the goal can be reached as it is stated, and report it if not.",
  ],
  insists: ({ count }) => `Other workers tried this call ${times(count)}: it failed, or brought nothing new.`,
};

const repeatedCall: SentenceOf<"repeated-call"> = {
  says({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You asked ${tool} ${times(count)} and nothing has changed.`;
    const same = evidence.isFuzzy ? "for the same thing" : "with the same arguments";
    if (evidence.isDone) return `You called ${tool} ${times(count)} ${same}, and it was done each time.`;
    const failed = evidence.isFailing ? " and it failed the same way" : " and got the same result";
    return `You called ${tool} ${times(count)} ${same}${evidence.outcome === "blind" ? "" : failed}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Read the error again: it will not change until something else does.",
        "Fix its cause first, or try a different tool or approach.",
        "If something blocks you, say what it is and ask.",
      ];
    }
    if (evidence.isDone) {
      return [
        "It is done: do not do it again.",
        "If it should have happened only once, find out what came of the others, and put it right.",
        "If you expected something else to come of it, say what, and try a different approach.",
      ];
    }
    return [
      "Use the result that you already have.",
      "Try a different approach or tool.",
      "If you are blocked, explain what blocks you. If the task is complete, say so.",
    ];
  },
  insists({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You have checked ${tool} ${times(count)} without a change.`;
    if (evidence.outcome === "blind") return `You have called ${tool} for the same thing ${times(count)}.`;
    if (evidence.isDone) return `You have done the same with ${tool} ${times(count)}.`;
    const what = evidence.isFailing ? "failed the same way" : "brought the same result";
    return `Your last call of ${tool} ${what} again. Nothing has changed in ${count} calls.`;
  },
  isWaiting: ({ evidence }) => evidence.isWaiting || evidence.isBusy,
};

const repeatedText: SentenceOf<"repeated-text"> = {
  says: ({ count, period, evidence }) =>
    `Your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} repeated the same ${period} characters ${times(count)}.`,
  advises: () => [
    "Stop repeating it and go on from there.",
    "Take one concrete action, or end with what you have.",
    "If you are unsure, say what you are unsure about.",
  ],
  insists: ({ count }) => `You have written the same words ${times(count)}, and nothing is done.`,
};

const sameOutcome: SentenceOf<"same-outcome"> = {
  says({ tools, count, evidence }) {
    if (evidence.isFailing)
      return `Different attempts failed in the same way ${times(count)}, last with ${toolName(tools[0])}.`;
    return `You asked ${toolName(tools[0])} ${times(count)} in different ways and got the same answer.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "The attempts differ, but the cause does not. Name the cause before you try again.",
        "Check what all attempts have in common: a path, a permission, a missing program, a wrong assumption.",
        "If you cannot fix the cause, report it.",
      ];
    }
    return [
      "The answer does not depend on what you ask. Look at what it says.",
      "Use another source, or another tool.",
      "If there is nothing to find, say so and go on.",
    ];
  },
  insists: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `${count} attempts failed with the same error, and nothing was changed that could fix it.`
      : `${toolName(tools[0])} gave you the same answer ${times(count)}, whatever you asked.`,
};

const similarCall: SentenceOf<"similar-call"> = {
  says({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and each of them failed" : ", and the results are the same";
    return `You called ${toolName(tools[0])} ${times(count)} with nearly the same arguments${evidence.outcome === "blind" ? "" : result}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Small variations do not help here. Find out what the call requires before the next attempt.",
        "Use a different tool, or get the missing information first.",
        "If you cannot get further, report what you tried and what you need.",
      ];
    }
    return [
      "Take the result as it is: asking in other words will not change it.",
      "Look somewhere else, or use another tool.",
      "If the information is not there, say so and go on without it.",
    ];
  },
  insists({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and none of them worked" : ", and all of them brought the same";
    return `Your last ${count} calls of ${toolName(tools[0])} hardly differ${evidence.outcome === "blind" ? "" : result}.`;
  },
};

const stalled: SentenceOf<"stalled"> = {
  says: ({ tools, count, evidence }) =>
    `You asked ${toolName(tools[0])} ${times(count)} for much the same thing, and ${
      evidence.isEmpty ? "found nothing" : "learned nothing new"
    }.`,
  advises: () => [
    "Take it as the answer: it is not there, or not under that name.",
    "Look in another place, or begin from what is known to exist.",
    "If you cannot go on without it, say what is missing.",
  ],
  insists: ({ count, tools }) => `${count} calls of ${toolName(tools[0])} have brought nothing new.`,
};

const testFix: SentenceOf<"test-fix"> = {
  says: ({ count, evidence }) =>
    `The same check failed ${times(count)} in a row, and the changes in between did not make it better${
      evidence.failing === undefined ? "" : ` (${evidence.failing} failing)`
    }.`,
  advises: () => [
    "Read the whole error message again, from the first line that is yours.",
    "Ask whether the approach itself is wrong, or whether the change takes effect at all.",
    "Form another hypothesis and test it by itself before the next change.",
  ],
  insists: ({ count }) => `After ${count} runs the check still fails as it did at first.`,
};

const textOnly: SentenceOf<"text-only"> = {
  says: ({ count, evidence }) =>
    evidence.isRepeating
      ? `You gave the same answer again without doing anything (${count} answers without a tool call).`
      : `You gave ${count} answers in a row without a tool call.`,
  advises: () => [
    "Pick the next open task and begin it now, with a tool call.",
    "If everything is done, say so once and end.",
    "If you need something from the user, ask one clear question.",
  ],
  insists: ({ count }) => `That was answer ${count} in a row, and nothing has been done.`,
};

const SENTENCES: { readonly [Kind in FindingKind]: SentenceOf<Kind> } = {
  "call-cycle": callCycle,
  custom,
  "failure-streak": failureStreak,
  fleet,
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
