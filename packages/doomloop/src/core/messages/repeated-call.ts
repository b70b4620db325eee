import type { RepeatedCallFinding } from "../detectors/repeated-call.ts";
import { callsAbove, type Sentence, times, toolName, WAIT_ONCE } from "./sentence.ts";

export const repeatedCallSentence: Sentence<RepeatedCallFinding> = {
  says({ tools, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting) return `You asked ${tool} ${times(count)} and nothing has changed.`;
    const same = evidence.isFuzzy ? "for the same thing" : "with the same arguments";
    const result =
      evidence.outcome === "blind"
        ? ""
        : evidence.isFailing
          ? " and it failed the same way"
          : " and got the same result";
    return `You called ${tool} ${times(count)} ${same}${result}.`;
  },
  advises({ evidence }) {
    if (evidence.isWaiting || evidence.isBusy) return WAIT_ONCE;
    if (evidence.isFailing) {
      return [
        "Read the error again: it will not change until something else does.",
        "Fix its cause first, or try a different tool or approach.",
        "If something blocks you, say what it is and ask.",
      ];
    }
    return [
      "Use the result that you already have.",
      "Try a different approach or tool.",
      "If you are blocked, explain what blocks you. If the task is complete, say so.",
    ];
  },
  insists({ tools, steps, count, evidence }) {
    const tool = toolName(tools[0]);
    if (evidence.isWaiting)
      return `${tool} still says what it said ${callsAbove(steps)}. That is look ${count} in vain.`;
    if (evidence.outcome === "blind") return `This is call ${count} of ${tool} for one and the same thing.`;
    const what = evidence.isFailing ? "The same failure" : "The same result";
    return `${what} of ${tool} stands ${callsAbove(steps)}. It has not changed in ${count} calls.`;
  },
  insistsOn: ({ evidence }) => (evidence.isWaiting || evidence.isBusy ? WAIT_ONCE : undefined),
};
