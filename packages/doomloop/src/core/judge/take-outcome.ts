import { type Digest, digestOfAll, uniqueDigest } from "../identity/digest.ts";
import { keepOutcome } from "../memory/views.ts";
import { acknowledges } from "../outcome/answer-says.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import type { JudgedStep, Step } from "../step.ts";
import { CONFIRMATION_LENGTH, MUTE_LENGTH, TELLS_ALL } from "./limits.ts";

/** Stands for the outcome of every call that was refused before it had any. */
const SYNTHETIC: Digest = uniqueDigest("synthetic", 0);
/** Stands for the outcome of every call whose outcome is not looked at. */
export const UNSEEN: Digest = uniqueDigest("blind", 0);
const ID_WORD = /[\w.:-]{1,200}/g;

/** Notes the outcome of a call on its step. */
export function takeOutcome(step: Step, outcome: Outcome): void {
  const { digest, failure, length, isSynthetic } = outcome;
  step.isSeen = true;
  step.outcome = isSynthetic ? SYNTHETIC : (digest ?? uniqueDigest("outcome", step.index));
  step.failure = failure;
  step.length = length;
  step.isSynthetic = isSynthetic;
  step.isEmpty = outcome.isEmpty;
  step.isTelling = outcome.isTelling;
  step.isNothing = outcome.isNothing;
  step.isMute = length <= MUTE_LENGTH || acknowledges(outcome.text);
  if (outcome.holdsMore) return;
  if (step.isComparable && !isSynthetic && digest !== undefined) step.said = keepOutcome(outcome.text, length);
  if (isSaid(step)) step.outcome = digestOfAll("said", outcome.text.replace(ID_WORD, withoutId));
}

/** Looks only at whether a step failed, where its call was judged alone when it was made. */
export function judgeFailure(step: Step, outcome: Outcome): JudgedStep {
  takeOutcome(step, outcome);
  // For comparison, the outcome stays unseen.
  step.said = undefined;
  const seen = { ...step };
  step.outcome = UNSEEN;
  return {
    step: seen,
    blindness: "none",
    isNew: true,
    isExcused: false,
    isWaiting: false,
    checked: undefined,
    isSameRoundDuplicate: false,
    isProof: false,
    tells: TELLS_ALL,
    text: outcome.text,
    exact: {
      known: undefined,
      count: 1,
      indices: [],
      strength: "exact",
      reason: "new-outcome",
      beginsAnew: false,
      passed: [],
    },
    fuzzy: undefined,
    threshold: undefined,
  };
}

/** Whether the outcome only confirms that something was said to somebody, whatever number or id comes back. A longer outcome is an answer. */
function isSaid(step: Step): boolean {
  if (
    !step.isComparable ||
    step.failure !== undefined ||
    step.isSynthetic ||
    step.length > CONFIRMATION_LENGTH ||
    step.facts.isCommand
  )
    return false;
  const { act } = step.facts.reading;
  return act === "says" || act === "asks" || (step.hasContent && act === "writes");
}

/** A name with digits in it, or a long number, is an id: `WO-5512`, `1772787713.06`. A small number may be what was asked for. */
function withoutId(word: string): string {
  return /\d/.test(word) && (/[a-z]/i.test(word) || /\d{5}/.test(word)) ? "" : word;
}
