import type { Finding, FindingFacts, FindingKind, RepeatedCallFinding } from "../finding.ts";
import { fleet, opinion } from "./others-say.ts";
import { fixTheCause, type Sentence, TELL_WHY, times, toolName } from "./sentence.ts";

type SentenceOf<Kind extends FindingKind> = Sentence<Extract<Finding, { kind: Kind }>>;

const MAX_LISTED = 6;
const TELL_MISSING = "If you still need it, tell the user what is missing.";
const GO_ON = "go on like this";

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
  advises({ count, evidence }) {
    if (evidence.isFailing) {
      return [
        "Read the error. The same call will likely fail again.",
        "Fix the cause first, or use another tool.",
        "If you cannot fix it, tell the user what fails.",
      ];
    }
    if (evidence.isDone) {
      return [
        "This is done. Do not do it again.",
        "Do only what is still missing.",
        `If nothing is missing, tell the user that it was done ${times(count)}.`,
      ];
    }
    if (evidence.isStep) {
      return [
        "Look at what it changed, with a tool that only reads.",
        "If it is as you want it, do the next step.",
        "If not, try another way.",
      ];
    }
    return [
      "If the task is complete, or you are blocked, tell the user.",
      "If not, use the result you have.",
      "If it does not help, try another tool or another approach.",
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
  corrects({ count, evidence }) {
    if (evidence.isFailing) return fixTheCause("Do not make this call again before you fix the cause.");
    if (evidence.isDone) {
      return [
        "Do not do it again, in this or any other way.",
        "Do only what is still missing.",
        `If nothing is missing, tell the user that it was done ${times(count)}.`,
      ];
    }
    if (evidence.isStep) {
      return [
        "Do not make this call again yet.",
        "Look at what it changed. If each call did new work, go on.",
        "If not, try another approach, or explain what blocks you.",
      ];
    }
    return ["Do not make this call again.", TELL_WHY, "Otherwise, use the result, or try another approach."];
  },
  goesOn: ({ evidence }) => (evidence.isDone ? "keep doing it" : "keep making this call"),
  isWaiting: ({ evidence }) => evidence.isWaiting || evidence.isBusy,
  // A click or a mail is not made again because time has passed.
  mayWait: ({ evidence }) => evidence.isStep !== true && evidence.isDone !== true,
  isDone: ({ evidence }) => evidence.isDone === true,
};

function whatCameOf({ isDone, isFailing, outcome }: RepeatedCallFinding["evidence"]): string {
  if (isDone) return ", and it worked each time";
  if (isFailing) return ", and it failed the same way each time";
  return ` and got ${outcome === "exact" ? "the same result" : "nearly the same result"} each time`;
}

const callCycle: SentenceOf<"call-cycle"> = {
  says: (finding) =>
    `You called ${listed(finding)} in turn, ${times(finding.count)}${finding.evidence.outcome === "blind" ? "" : ", and got the same results"}.`,
  advises: () => [
    "You have the results. Read any error in them again.",
    "Try another approach, with other arguments or tools.",
    "Split the problem into smaller steps.",
  ],
  insists: (finding) =>
    `You have now called ${listed(finding)} in turn ${times(finding.count)}${finding.evidence.outcome === "blind" ? "" : ", and the results stay the same"}.`,
  corrects: () => [
    "Do not repeat these calls with the same arguments.",
    TELL_WHY,
    "Otherwise, try another approach, one small step.",
  ],
  goesOn: () => "keep making these calls",
  isWaiting: ({ evidence }) => evidence.isWaiting,
  mayWait: () => true,
};

function listed({ period, evidence }: Extract<Finding, { kind: "call-cycle" }>): string {
  const names = evidence.sequence.slice(0, MAX_LISTED).map(toolName);
  if (evidence.sequence.length === period && new Set(evidence.sequence).size === 1)
    return `${names[0]} with ${period} different inputs`;
  return `${names.join(", ")}${period > names.length ? `, and ${period - names.length} more` : ""}`;
}

const failureStreak: SentenceOf<"failure-streak"> = {
  says: ({ tools, count }) => `Your last ${count} calls to ${toolName(tools[0])} all failed.`,
  advises: ({ evidence }) =>
    evidence.isFileWork
      ? [
          "Read the last error, and fix its cause.",
          "If you have tools to read, write or edit files, use them instead of cat, echo and sed.",
          "If you cannot fix it, tell the user the error.",
        ]
      : [
          "Read the last error. Which input is wrong?",
          "Get the right value with a call that only reads. Do not guess.",
          "If you cannot get it, tell the user what is missing.",
        ],
  insists: ({ count, tools }) => `By now, ${count} calls to ${toolName(tools[0])} in a row have failed.`,
  corrects: ({ evidence }) =>
    evidence.isFileWork
      ? [
          "Do not send the same kind of command again.",
          "Try one short, safe command, such as `pwd`.",
          "If it works, fix the last error. If it fails, tell the user.",
        ]
      : fixTheCause("Do not guess again."),
  goesOn: () => GO_ON,
};

const repeatedText: SentenceOf<"repeated-text"> = {
  says: ({ count, evidence }) =>
    `Your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} said the same words ${times(count)}.`,
  advises: () => [
    "Stop writing this.",
    "If you have the answer, give it once and end.",
    "If not, do the next step now.",
  ],
  insists: ({ count }) => `You have now written the same words ${times(count)}.`,
  corrects: () => [
    "Do not write these words again.",
    "If you are blocked, say what blocks you.",
    "If not, do the next step now. If none is left, end.",
  ],
};

const sameOutcome: SentenceOf<"same-outcome"> = {
  says: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `Your last ${count} attempts failed in the same way. The last one used ${toolName(tools[0])}.`
      : `You called ${toolName(tools[0])} ${times(count)} with different arguments and got the same answer each time.`,
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Find the cause before you try again.",
        "Check what all attempts share, such as a wrong name or path.",
        "If you cannot fix the cause, tell the user what it is.",
      ];
    }
    return [
      "Different inputs gave the same answer. Is it what you need?",
      "If so, use it. If not, use another source or another tool.",
      "If there is nothing to find, go on without it.",
    ];
  },
  insists: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `By now, ${count} attempts have failed in the same way.`
      : `${toolName(tools[0])} has now given you the same answer ${times(count)}.`,
  corrects: ({ evidence }) =>
    evidence.isFailing
      ? fixTheCause("Do not try again before you know the cause.")
      : ["Do not ask for this again.", "Use what you have, or use another source.", TELL_MISSING],
  goesOn: () => GO_ON,
};

const similarCall: SentenceOf<"similar-call"> = {
  says({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and every call failed" : ", and the results are the same";
    return `You called ${toolName(tools[0])} ${times(count)} with nearly the same arguments${evidence.outcome === "blind" ? "" : result}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Small changes do not help here. Find out what the call needs.",
        "Get what is missing first, or use another tool.",
        "If you cannot go on, tell the user what you need.",
      ];
    }
    return [
      "Other wording will not help. Use what you have.",
      "Look in another place, or use another tool.",
      "If it is not there, go on without it.",
    ];
  },
  insists({ tools, count, evidence }) {
    const result = evidence.isFailing ? ", and they all failed" : ", and so were the results";
    return `Your last ${count} calls to ${toolName(tools[0])} were nearly the same${evidence.outcome === "blind" ? "" : result}.`;
  },
  corrects: ({ evidence }) => [
    "Do not repeat this call, with or without small changes.",
    evidence.isFailing
      ? "Find out what the call needs, or use another tool."
      : "Use what you have, or use another tool.",
    TELL_WHY,
  ],
  goesOn: () => "keep repeating this call",
};

const stalled: SentenceOf<"stalled"> = {
  says: ({ tools, count, evidence }) =>
    `You called ${toolName(tools[0])} for nearly the same thing ${times(count)} and ${
      evidence.isEmpty ? "found nothing" : "learned nothing new"
    }.`,
  advises: ({ evidence }) => [
    evidence.isEmpty ? "It is probably not in this place." : "You know all that this shows. Use it.",
    evidence.isEmpty ? "Look once in another place." : "If it is not enough, look in another place.",
    TELL_MISSING,
  ],
  insists: ({ count, tools }) => `By now, ${count} calls to ${toolName(tools[0])} have returned nothing new.`,
  corrects: () => ["Do not ask for this again.", "Look once in another place, or go on without it.", TELL_MISSING],
  goesOn: () => "keep asking for this",
};

const testFix: SentenceOf<"test-fix"> = {
  says: ({ count, evidence }) =>
    `The same check failed ${times(count)} in a row${
      evidence.failing === undefined ? "" : ` (${evidence.failing} ${evidence.failing === 1 ? "failure" : "failures"})`
    }, and the changes in between did not help.`,
  advises: () => [
    "Read the whole error again, from its first line.",
    "Make sure the check uses the file you changed.",
    "Your approach may be wrong. Look for another cause.",
  ],
  insists: ({ count }) => `The check has now failed ${times(count)}, still as it did at first.`,
  corrects: () => [
    "Do not edit again before you know the cause.",
    "See if the check uses the file you changed.",
    "If you find no cause, tell the user that the check still fails.",
  ],
  goesOn: () => GO_ON,
};

const textOnly: SentenceOf<"text-only"> = {
  says: ({ count, evidence }) =>
    evidence.isRepeating
      ? `You gave the same answer again and did nothing (${count} answers without a tool call).`
      : `You gave ${count} answers in a row without a tool call.`,
  advises: () => [
    "If all is done, say so once and end.",
    "If you need something from the user, ask one clear question.",
    "If not, start the next open task now, with a tool call.",
  ],
  insists: ({ count }) => `That was answer ${count} in a row without a tool call.`,
  corrects: () => [
    "If the task is complete, end now.",
    "If you are blocked, say what blocks you.",
    "If not, do the next open step with a tool call.",
  ],
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
