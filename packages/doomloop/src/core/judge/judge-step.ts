import type { Digest } from "../identity/digest.ts";
import { uniqueDigest } from "../identity/unique-digest.ts";
import { noteNews } from "../memory/news.ts";
import { type RunState, remember } from "../memory/run-state.ts";
import { keepOutcome } from "../memory/views.ts";
import { noteChange } from "../memory/world.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { JudgedStep, Repeat, Step } from "../step.ts";
import { isProof, provesNothingHappened } from "./certainty.ts";
import { couldBeRead } from "./could-be-read.ts";
import { likeOf } from "./like-of.ts";
import { isKnownNow, type Moment, momentOf, type Rules } from "./moment.ts";
import { add, latestOf, type Occurrences, occurrencesOf, type Recollection, recall, record } from "./occurrences.ts";
import { isPatient, noteWaiting, sleptMs, waitingOf } from "./waiting.ts";

const NO_REPEAT: Repeat = { count: 1, indices: [], strength: "exact", inRow: 1, reason: "new-outcome", passed: [] };
/** Stands for the outcome of every call whose outcome is not looked at. */
const BLIND: Digest = uniqueDigest("blind", 0);
/** Stands for the outcome of every call that was refused before it had any. */
const SYNTHETIC: Digest = uniqueDigest("synthetic", 0);

/**
 * Judges a call with its outcome against all that the run remembers, and remembers it.
 *
 * The order matters: what was known is asked before the step is added, and a change of its own is noted last, so that
 * it never excuses its own repeat.
 */
export function judgeStep(state: RunState, step: Step, outcome: Outcome, rules: Rules): JudgedStep {
  takeOutcome(step, outcome);
  const isComparable = step.isComparable && !outcome.isSynthetic && outcome.digest !== undefined;
  if (isComparable) step.said = keepOutcome(outcome.text, outcome.length);
  const moment = momentOf(state, step, rules, outcome);
  const hadSucceeded = hasSucceeded(state, step.call);
  const judged = judge(moment, likeOf(moment, step.outcome));
  remember(state, step);
  if (rules.progress.worldChange && !hadSucceeded)
    noteChange(state.world, step, state.lastJudged, couldBeRead(step, outcome.text));
  if (step.isNewCall) state.lastNewCall = Math.max(state.lastNewCall, step.index);
  state.lastJudged = Math.max(state.lastJudged, step.index);
  return judged;
}

/** Judges a call alone, where outcomes are not seen or not looked at. */
export function judgeBlindly(state: RunState, step: Step, rules: Rules, isInferred: boolean): JudgedStep {
  step.outcome = BLIND;
  // Results that were not seen yet may be those of a batch: whatever lies between makes a repeat innocent.
  const moment = { ...momentOf(state, step, rules), ...(isInferred && { workingLaps: 1 }) };
  const judged = judge(moment, factsOf(step).blindLike);
  remember(state, step);
  return {
    ...judged,
    blindness: isInferred ? "inferred" : "known",
    exact: { ...judged.exact, strength: "blind" },
    fuzzy: judged.fuzzy && { ...judged.fuzzy, strength: "blind" },
  };
}

/** Looks only at whether a step failed, where its call was judged blindly when it was made. */
export function judgeFailure(step: Step, outcome: Outcome): JudgedStep {
  takeOutcome(step, outcome);
  const seen = { ...step };
  // For comparison, what it came to stays unseen.
  step.outcome = BLIND;
  return {
    step: seen,
    blindness: "none",
    isNew: true,
    isExcused: false,
    isWaiting: false,
    isTwin: false,
    isProof: false,
    hasOthers: false,
    text: outcome.text,
    exact: NO_REPEAT,
    fuzzy: undefined,
    threshold: undefined,
  };
}

/** Whether a call came back at least once without failing. */
export function hasSucceeded(state: RunState, call: Digest): boolean {
  return state.byCall.get(call)?.some((known) => !known.isFailing) === true;
}

function judge(moment: Moment, like: Digest | undefined): JudgedStep {
  const { state, step, rules, outcome } = moment;
  const digest = step.outcome;
  const exactly = occurrencesOf(state, step.call, "equality");
  const recalled = recall(exactly, digest, moment);
  const alike = like === undefined ? undefined : occurrencesOf(state, like, "substance");
  const recalledAlike = alike && recall(alike, digest, moment);
  const known = (knownNow(recalled, moment) ?? knownNow(recalledAlike, moment))?.known;
  const isTwin = known?.rounds.includes(step.round) === true;
  // Only a repeat is worth asking what it waits for, and what it proves.
  const waiting = isTwin || known === undefined ? undefined : waitingOf(step, outcome, state.lentMs, rules.rule);
  const mayWait = known !== undefined && isPatient(waiting, known, rules);
  if (known !== undefined && waiting !== undefined) noteWaiting(known, step, state.lentMs);
  if (!isTwin) state.lentMs = sleptMs(step, outcome);
  // Whoever tries something new between two looks is not in a closed circle.
  const isClosed = known === undefined || state.lastNewCall <= known.index;
  const isDirect = known === undefined || step.index - known.index <= 1 || step.round - known.round <= 1;
  const exact = note(exactly, recalled, moment, mayWait);
  const fuzzy = alike && note(alike, recalledAlike, moment, mayWait);
  const mayProve = recalled !== undefined || moment.isFailing;
  const proves = mayProve && isClosed && waiting === undefined && provesNothingHappened(moment, isDirect);
  const latest = latestOf(state.byCall.get(step.call));
  if (latest !== undefined && !step.isSynthetic) latest.proves = proves;
  if (recalled === undefined && recalledAlike === undefined && mayBeNews(moment))
    noteNews(state.news, step, outcome === undefined ? step.call : digest);
  if (recalled !== undefined) step.outcome = recalled.known.digest;
  return {
    step,
    blindness: "none",
    isNew: known === undefined && !step.isSynthetic,
    isExcused: mayWait || exact.reason === "compaction",
    isWaiting: waiting !== undefined,
    isTwin,
    isProof: proves && recalled !== undefined && isProof(exact, recalled.known),
    hasOthers: recalled?.hasOthers === true,
    text: outcome?.text ?? "",
    exact,
    fuzzy: fuzzy && { like: like!, ...fuzzy },
    threshold: rules.rule.threshold,
  };
}

function note(
  occurrences: Occurrences,
  recalled: Recollection | undefined,
  moment: Moment,
  isPatientNow: boolean,
): Repeat {
  if (recalled === undefined) return add(occurrences, moment.step.outcome, moment);
  return record(occurrences, recalled, moment, isPatientNow);
}

/** What is known of the outcome now: seen in this state of the world. */
function knownNow(recollection: Recollection | undefined, moment: Moment): Recollection | undefined {
  return recollection !== undefined && isKnownNow(recollection.known, moment) ? recollection : undefined;
}

/** A failure, silence and a stand-in tell nothing; where nobody sees outcomes, a new call is all the news there is. */
function mayBeNews({ step, outcome, isFailing }: Moment): boolean {
  return outcome === undefined ? step.isNewCall : !isFailing && !step.isSynthetic && !step.isEmpty;
}

function takeOutcome(step: Step, outcome: Outcome): void {
  const { digest, failure, length, isSynthetic } = outcome;
  step.isSeen = true;
  step.outcome = isSynthetic ? SYNTHETIC : (digest ?? uniqueDigest("outcome", step.index));
  step.failure = failure;
  step.length = length;
  step.isSynthetic = isSynthetic;
  step.isEmpty = outcome.isEmpty;
  step.isTelling = outcome.isTelling;
  step.isNothing = outcome.isNothing;
}
