import type { RepeatedCallFinding } from "../finding.ts";
import { fixTheCause, type Sentence, TELL_WHY, times, toolName } from "./sentence.ts";

/** A repeated call can be a look, a failure, an act or a check, and each needs words of its own. */
export const repeatedCall: Sentence<RepeatedCallFinding> = {
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
    return [
      "Do not make this call again.",
      TELL_WHY,
      evidence.isStep
        ? "Otherwise, look at what changed. Only if nothing did, try another approach."
        : "Otherwise, use the result, or try another approach.",
    ];
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
