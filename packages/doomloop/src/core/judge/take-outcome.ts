import { type Digest, digestOfAll, uniqueDigest } from "../identity/digest.ts";
import { acknowledges } from "../outcome/answer-says.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";

/** Stands for the outcome of every call that was refused before it had any. */
const SYNTHETIC: Digest = uniqueDigest("synthetic", 0);
/** Answers up to this length can say no more than that something was done: "ok", `[image]`. */
const MUTE = 20;
const ACKNOWLEDGED = 200;
const WORD = /[\w.:-]{1,200}/g;

/** Notes on a step what its call came to. */
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
  step.isMute = length <= MUTE || acknowledges(outcome.text);
  if (isSaid(step)) step.outcome = digestOfAll("said", outcome.text.replace(WORD, withoutId));
}

/** What is said to somebody is said, whatever number or id comes back for it. At more length, it is an answer. */
function isSaid(step: Step): boolean {
  if (
    !step.isComparable ||
    step.failure !== undefined ||
    step.isSynthetic ||
    step.length > ACKNOWLEDGED ||
    step.facts.isCommand
  )
    return false;
  const { act } = factsOf(step).reading;
  return act === "says" || act === "asks" || (step.hasContent && act === "writes");
}

/** A name with digits in it, or a long number, is an id: `WO-5512`, `1772787713.06`. A small number may be what was asked for. */
function withoutId(word: string): string {
  return /\d/.test(word) && (/[a-z]/i.test(word) || /\d{5}/.test(word)) ? "" : word;
}
