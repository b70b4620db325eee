import type { OutcomeStrength } from "../finding.ts";
import { type Digest, uniqueDigest } from "../identity/digest.ts";
import { type KnownOutcome, latestOf } from "../memory/known-outcome.ts";
import { noteNews } from "../memory/news.ts";
import { type RunState, remember } from "../memory/run-state.ts";
import { noteLines } from "../memory/told-lines.ts";
import { keepOutcome } from "../memory/views.ts";
import { noteChange } from "../memory/world.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { JudgedStep, Repeat, Step } from "../step.ts";
import { intentOf } from "../words/stated-intent.ts";
import { broughtIn, cellOf, judgeRepeat } from "./judge-repeat.ts";
import { likeOf } from "./like-of.ts";
import { isKnownNow, type Moment, type Rules } from "./moment.ts";
import { add, type Occurrences, occurrencesOf, type Recollection, recall, record } from "./occurrences.ts";
import { takeOutcome } from "./take-outcome.ts";
import { isPatient, noteWaiting, sleptMs, waitingOf } from "./waiting.ts";

const NO_REPEAT: Repeat = { count: 1, indices: [], strength: "exact", reason: "new-outcome", passed: [] };
/** Stands for the outcome of every call whose outcome is not looked at. */
const BLIND: Digest = uniqueDigest("blind", 0);
/** More than any lap needs to tell. */
const TELLS_ALL = 1_000;
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
  const moment = { state, step, rules, outcome, isBatch: false };
  if (isComparable && outcome.length >= PIECES) Object.assign(step, noteLines(state.told, step.said!.text!));
  const hadSucceeded = hasSucceeded(state, step.call);
  const judged = judge(moment, likeOf(moment, step.outcome));
  remember(state, step);
  // What fails as before has changed no more than before.
  const mayChange = !hadSucceeded && (step.failure === undefined || step.isNews);
  if (rules.progress.worldChange && mayChange) noteChange(state.world, step, state.lastJudged);
  if (step.isNewCall) state.lastNewCall = Math.max(state.lastNewCall, step.index);
  state.lastJudged = Math.max(state.lastJudged, step.index);
  return judged;
}

/** Shorter outcomes are one piece, and compared as a whole. */
const PIECES = 60;

/** Judges a call alone, where outcomes are not seen or not looked at. */
export function judgeBlindly(state: RunState, step: Step, rules: Rules, isInferred: boolean): JudgedStep {
  step.outcome = BLIND;
  const moment = { state, step, rules, outcome: undefined, isBatch: isInferred };
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
    tells: TELLS_ALL,
    text: outcome.text,
    exact: NO_REPEAT,
    fuzzy: undefined,
    threshold: undefined,
  };
}

/** Whether a call came back at least once without failing. */
function hasSucceeded(state: RunState, call: Digest): boolean {
  return state.byCall.get(call)?.some((known) => !known.isFailing) === true;
}

function judge(moment: Moment, like: Digest | undefined): JudgedStep {
  const { state, step, rules, outcome } = moment;
  const { outcome: digest } = step;
  const exactly = occurrencesOf(state, step.call, "equality");
  const recalled = recall(exactly, digest, moment);
  const alike = like === undefined ? undefined : occurrencesOf(state, like, "substance");
  const recalledAlike = alike && recall(alike, digest, moment);
  const known = [recalled?.known, recalledAlike?.known].find((each) => each !== undefined && isKnownNow(each, moment));
  const isTwin = known?.rounds.includes(step.round) === true;
  // Only a call that was made before is worth asking what it waits for.
  const before = known ?? knownBefore(state, moment);
  const waiting = isTwin || before === undefined ? undefined : waitingOf(before, moment);
  const mayWait = before !== undefined && isPatient(waiting, before, moment);
  if (before !== undefined && waiting !== undefined) noteWaiting(before, step, state.lentMs);
  const slept = sleptMs(step, outcome);
  step.hasSlept = slept > 0;
  lend(state, step, slept);
  // Whoever tries something new between two looks is not in a closed circle.
  const isClosed = known === undefined || state.lastNewCall <= known.index;
  const exact = note(exactly, recalled, moment, mayWait);
  const fuzzy = alike && note(alike, recalledAlike, moment, mayWait);
  // What was asked for as often is no proof of anything.
  const isEqual = recalled !== undefined && exact.reason !== "sampling" && areEqual(exact.strength, step);
  const isProof = isEqual && isClosed && waiting === undefined && provesNothingHappened(moment);
  const latest = latestOf(state.byCall.get(step.call));
  if (latest !== undefined && !step.isSynthetic) latest.proves = isProof;
  if (recalled === undefined && recalledAlike === undefined && mayBeNews(moment))
    noteNews(state.news, step, outcome === undefined ? step.call : digest);
  if (recalled !== undefined) step.outcome = recalled.known.digest;
  step.isNews = recalled === undefined && recalledAlike === undefined;
  step.isExcused = mayWait || exact.reason === "compaction";
  return {
    step,
    blindness: "none",
    isNew: known === undefined && !step.isSynthetic,
    isExcused: step.isExcused,
    isWaiting: waiting !== undefined,
    isTwin,
    isProof,
    // Only what comes back is asked.
    tells: recalled === undefined ? TELLS_ALL : tellsOf(moment),
    text: outcome?.text ?? "",
    exact,
    fuzzy: fuzzy && { like: like!, ...fuzzy },
    threshold: rules.rule.threshold,
  };
}

/** What slept lends its time to all looks of the next round. */
function lend(state: RunState, { round }: Step, sleptMs: number): void {
  if (sleptMs > 0) {
    state.lentMs = sleptMs;
    state.lentIn = round;
  } else if (round > state.lentIn + 1) state.lentMs = 0;
}

/** What the call came to last, in this state of the world. */
function knownBefore(state: RunState, moment: Moment): KnownOutcome | undefined {
  const latest = latestOf(state.byCall.get(moment.step.call));
  return latest !== undefined && isKnownNow(latest, moment) ? latest : undefined;
}

/** How much a repeat tells of what came of it, in characters. */
function tellsOf(moment: Moment): number {
  if (cellOf(moment).forgives === 0) return TELLS_ALL;
  const brought = broughtIn(moment);
  return brought === "mute" || brought === "nothing" ? 0 : moment.step.length;
}

function note(
  occurrences: Occurrences,
  recalled: Recollection | undefined,
  moment: Moment,
  isPatientNow: boolean,
): Repeat {
  if (recalled === undefined) return add(occurrences, moment.step.outcome, moment);
  return record(occurrences, recalled, judgeRepeat(recalled, moment, isPatientNow), moment);
}

/** Whether outcomes that are the same in substance are so beyond doubt; of a failure, times and ids may differ. */
function areEqual(strength: OutcomeStrength, { failure }: Step): boolean {
  return strength === "exact" || (strength === "masked" && failure !== undefined);
}

const TELLING = 200;

/**
 * Whether an outcome would show it if anything had happened, so that having it again proves that nothing did. The step does not wait.
 *
 * Whoever comes back after a pause keeps an eye on something, even if that is over: such a one can be told, and is not ended for it.
 */
function provesNothingHappened(moment: Moment): boolean {
  const { step, state, outcome } = moment;
  if (outcome === undefined || step.isSynthetic || step.isPaused || !cellOf(moment).isSure) return false;
  const { act, isOutside } = factsOf(step).reading;
  // Whoever was asked to keep an eye on something looks again.
  if ((act === "looks" || act === "watches") && intentOf(state.intent).isWatching) return false;
  // What others may change must tell much, and a program that asks about it can tell at any time that it changed.
  const mayChange = step.failure === undefined && (act === "watches" || act === "steps");
  return !mayChange || (step.length >= TELLING && !(step.facts.isCommand && isOutside));
}

/** A failure, silence and a stand-in tell nothing; where nobody sees outcomes, a new call is all the news there is. */
function mayBeNews({ step, outcome }: Moment): boolean {
  return outcome === undefined ? step.isNewCall : step.failure === undefined && !step.isSynthetic && !step.isEmpty;
}
