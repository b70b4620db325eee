import type { Finding, FindingKind } from "../detectors/index.ts";
import type { RepeatedCallFinding } from "../detectors/repeated-call.ts";
import type { FindingFacts } from "../finding.ts";
import { type Sentence, spanOf, times, toolName } from "./sentence.ts";

type SentenceOf<Kind extends FindingKind> = Sentence<Extract<Finding, { kind: Kind }>>;

const MAX_LISTED = 6;
const IF_BLOCKED = "If you are blocked, say why. If the task is complete, say so.";

const callCycle: SentenceOf<"call-cycle"> = {
  says({ count, period, evidence }) {
    const listed = evidence.sequence.slice(0, MAX_LISTED).map(toolName);
    const more = period > listed.length ? `, and ${period - listed.length} more` : "";
    const results = evidence.outcome === "blind" ? "" : " and got the same results";
    return `You made these ${period} calls in turn ${times(count)}${results}: ${listed.join(", ")}${more}.`;
  },
  advises: () => [
    "Read the results above again, and use them.",
    "Choose one next step and finish it, or try another approach.",
    "Split the problem into smaller steps.",
  ],
  insists: ({ count, period, evidence }) =>
    `You have now made the same ${period} calls ${times(count)}${evidence.outcome === "blind" ? "" : ", and the results stay the same"}.`,
  isWaiting: ({ evidence }) => evidence.isWaiting,
};

/** A detector of the host's own has words of its own. */
const custom: SentenceOf<"custom"> = {
  says: ({ evidence }) => evidence.says,
  advises: ({ evidence }) => evidence.advises,
  insists: ({ evidence }) => `It goes on. ${evidence.says}`,
};

const failureStreak: SentenceOf<"failure-streak"> = {
  says: ({ tools, count }) => `Your last ${count} calls of ${toolName(tools[0])} all failed.`,
  advises: ({ evidence }) => [
    evidence.isFileWork
      ? "If you have file tools (read, write, edit), use them instead of cat, echo and sed."
      : "First check the inputs with a call that changes nothing.",
    "Check one guess at a time.",
    "If something stops you, say what it is.",
  ],
  insists: ({ count, tools }) => `By now, ${count} calls of ${toolName(tools[0])} in a row have failed.`,
};

/** What other workers found is told in words of its own. */
const fleet: SentenceOf<"fleet"> = {
  says: ({ count, tools, evidence }) =>
    `In the last ${spanOf(evidence.windowMs)}, ${evidence.workers} workers made ${count} calls of ${toolName(tools[0])} like this one. Each failed or brought nothing new.`,
  advises: () => [
    "Do not make this call again. Find a way without it.",
    "Skip it for now and do the rest.",
    "If the goal needs it, say so.",
  ],
  insists: ({ count }) => `Other workers made this call ${times(count)}. Each failed or brought nothing new.`,
};

const repeatedCall: SentenceOf<"repeated-call"> = {
  says({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You checked ${tool} ${times(count)}, and nothing has changed.`;
    const asked = evidence.isFuzzy
      ? `You asked ${tool} for the same thing ${times(count)}`
      : `You called ${tool} ${times(count)} with the same arguments`;
    return `${asked}${evidence.outcome === "blind" ? "" : whatCameOf(evidence)}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Look at the error above. Repeating will not change it.",
        "Fix the cause first, or use another tool.",
        "If you cannot fix it, say what stops you.",
      ];
    }
    if (evidence.isDone) {
      return [
        "It is done. Do not do it again.",
        "If once was enough, tell the user what happened.",
        "If something is still missing, do only that.",
      ];
    }
    return [
      evidence.isStep ? "Check what your last call changed." : "Look at the earlier result above and use it.",
      evidence.isStep ? "If it changed nothing, try another approach." : "Try another tool or another approach.",
      IF_BLOCKED,
    ];
  },
  insists({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You have now checked ${tool} ${times(count)}, and nothing has changed.`;
    if (evidence.outcome === "blind") return `You have now called ${tool} for the same thing ${times(count)}.`;
    if (evidence.isDone) return `You have now done the same thing with ${tool} ${times(count)}.`;
    const asked = evidence.isFuzzy ? `asked ${tool} for the same thing` : `made this ${tool} call`;
    const same = evidence.outcome === "exact" ? "still the same" : "still nearly the same";
    return `You have now ${asked} ${times(count)}, and ${evidence.isFailing ? "it still fails the same way" : `the result is ${same}`}.`;
  },
  isWaiting: ({ evidence }) => evidence.isWaiting || evidence.isBusy,
};

function whatCameOf({ isDone, isFailing, outcome }: RepeatedCallFinding["evidence"]): string {
  if (isDone) return ", and it worked each time";
  if (isFailing) return ", and it failed the same way each time";
  return ` and got ${outcome === "exact" ? "the same result" : "nearly the same result"} each time`;
}

const repeatedText: SentenceOf<"repeated-text"> = {
  says: ({ count, period, evidence }) =>
    `Your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} repeated the same ${period} characters ${times(count)}.`,
  advises: () => [
    "Stop this text. Write only the next step.",
    "Do one thing now, or end with what you have.",
    "If you are not sure, say what you are not sure about.",
  ],
  insists: ({ count }) => `You have now written the same words ${times(count)}, and nothing is done.`,
};

const sameOutcome: SentenceOf<"same-outcome"> = {
  says({ tools, count, evidence }) {
    if (evidence.isFailing)
      return `By now, ${count} attempts failed in the same way. The last one used ${toolName(tools[0])}.`;
    return `You called ${toolName(tools[0])} ${times(count)} with different arguments and got the same answer each time.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Name the cause before you try again.",
        "Check what all attempts share: a name, a permission, a missing program.",
        "If you cannot fix the cause, say what it is.",
      ];
    }
    return [
      "Different inputs gave the same answer. Use that answer.",
      "Use another source or another tool.",
      "If there is nothing to find, say so and go on.",
    ];
  },
  insists: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `It goes on: ${count} attempts have failed in the same way.`
      : `${toolName(tools[0])} has now given you the same answer ${times(count)}.`,
};

const similarCall: SentenceOf<"similar-call"> = {
  says({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and all of them failed" : ", and the results are the same";
    return `You called ${toolName(tools[0])} ${times(count)} with nearly the same arguments${evidence.outcome === "blind" ? "" : result}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Small changes do not help here. Find out what the call needs.",
        "Get what is missing first, or use another tool.",
        "If you cannot go on, say what you need.",
      ];
    }
    return [
      "Accept the result. Other wording does not change it.",
      "Look in another place, or use another tool.",
      "If it is not there, go on without it.",
    ];
  },
  insists({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and all of them failed" : ", and so are the results";
    return `Your last ${count} calls of ${toolName(tools[0])} are nearly the same${evidence.outcome === "blind" ? "" : result}.`;
  },
};

const stalled: SentenceOf<"stalled"> = {
  says: ({ tools, count, evidence }) =>
    `You called ${toolName(tools[0])} for nearly the same thing ${times(count)} and ${
      evidence.isEmpty ? "found nothing" : "learned nothing new"
    }.`,
  advises: ({ evidence }) => [
    evidence.isEmpty
      ? "Take that as the answer: it is not there, or has another name."
      : "You know all that this shows. Use it.",
    "Look in another place.",
    "If you need it to go on, say what is missing.",
  ],
  insists: ({ count, tools }) => `By now, ${count} calls of ${toolName(tools[0])} have brought nothing new.`,
};

const testFix: SentenceOf<"test-fix"> = {
  says: ({ count, evidence }) =>
    `The same check failed ${times(count)} in a row${
      evidence.failing === undefined ? "" : ` (${evidence.failing} failing)`
    }, and the changes in between did not help.`,
  advises: () => [
    "Read the whole error again, from its first line.",
    "Check that your change takes effect at all.",
    "Your approach may be wrong. Look for another cause.",
  ],
  insists: ({ count }) => `After ${count} runs, the check still fails as it did at first.`,
};

const textOnly: SentenceOf<"text-only"> = {
  says: ({ count, evidence }) =>
    evidence.isRepeating
      ? `You gave the same answer again and did nothing (${count} answers without a tool call).`
      : `You gave ${count} answers in a row without a tool call.`,
  advises: () => [
    "Start the next open task now, with a tool call.",
    "If all is done, say so once and end.",
    "If you need something from the user, ask one clear question.",
  ],
  insists: ({ count }) => `That was answer ${count} in a row without a tool call.`,
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
