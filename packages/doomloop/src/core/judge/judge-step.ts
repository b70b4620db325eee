import type { Digest } from "../identity/digest.ts";
import { isEmptyOutcome, isNothing, isTelling, type Outcome } from "../identity/outcome.ts";
import { uniqueDigest } from "../memory/identify-call.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import { type RunState, remember } from "../memory/run-state.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { Repeat, Step } from "../step.ts";
import { provesNothingHappened } from "./certainty.ts";
import { followFailure, noteChange } from "./follow-step.ts";
import { isKnownNow, type Moment } from "./known-outcome.ts";
import { likeOf } from "./like-of.ts";
import type { Occurrences, Recollection } from "./occurrences.ts";
import { isPatient, noteWaiting, sleptMs, waitingOf, waitsBefore } from "./waiting.ts";

/** How steps are judged: the run's options and the rule of the step's tool. */
export interface Judgement {
  readonly progress: ResolvedProgress;
  readonly rule: ToolRule;
  /** Every run of tests counts, whatever its outcome: each failing command must be read to tell. */
  readonly countsTests: boolean;
}

const NO_REPEAT: Repeat = { count: 1, indices: [], strength: "exact", inRow: 1, reason: "new-outcome" };
/** Laps in a row that bring news: one is a digression, two are a way of working. */
const WORKING_LAPS = 2;
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
export function judgeStep(state: RunState, open: OpenCall, outcome: Outcome, judgement: Judgement): Step {
  const { isSynthetic } = outcome;
  const digest = isSynthetic ? SYNTHETIC : (outcome.digest ?? uniqueDigest("outcome", open.index));
  if (!isSynthetic && outcome.digest !== undefined) state.views.keepOutcome(open.index, outcome.text, outcome.length);
  const moment = momentOf(state, open, outcome, judgement.progress);
  const like = likeOf(state, open, digest, moment, outcome);
  const hadSucceeded = state.calls.hasSucceeded(open.call);
  const judged = judge(state, open, digest, like, moment, judgement, outcome);
  const step = stepOf(open, outcome, judgement.rule, judged);
  followNovelty(state, step);
  state.check = undefined;
  if (!isSynthetic) followFailure(state, step, outcome, judgement.countsTests);
  rememberStep(state, open, step, outcome.length);
  if (judgement.progress.worldChange && !hadSucceeded)
    noteChange(state.world, open, outcome, state.counters.lastJudged);
  if (open.isNewCall) state.counters.lastNewCall = Math.max(state.counters.lastNewCall, open.index);
  state.counters.lastJudged = Math.max(state.counters.lastJudged, open.index);
  state.latest = step;
  return step;
}

/** Judges a call alone, where outcomes are not seen or not looked at. */
export function judgeBlindly(state: RunState, open: OpenCall, judgement: Judgement, isInferred: boolean): Step {
  // Results that were not seen yet may be those of a batch: whatever lies between makes a repeat innocent.
  const workingLaps = isInferred ? 1 : WORKING_LAPS;
  const moment = { ...momentOf(state, open, undefined, judgement.progress), workingLaps };
  const judged = judge(state, open, BLIND, open.facts.blindLike, moment, judgement, undefined);
  state.check = undefined;
  const step: Step = {
    ...stepOf(open, undefined, judgement.rule, judged),
    isBlind: true,
    isBlindByInference: isInferred,
    exact: { ...judged.exact, strength: "blind" },
    fuzzy: judged.fuzzy && { ...judged.fuzzy, strength: "blind" },
  };
  if (!step.isTwin && !step.isExcused) state.lags.push(step.call, BLIND, step.index);
  rememberStep(state, open, step, 0);
  state.latest = step;
  return step;
}

/** Looks only at whether a step failed, where its call was judged blindly when it was made. */
export function judgeFailure(state: RunState, open: OpenCall, outcome: Outcome, countsTests: boolean): Step {
  const key = outcome.digest ?? BLIND;
  const judged = {
    key,
    isNew: true,
    isExcused: false,
    isWaiting: false,
    isTwin: false,
    exact: NO_REPEAT,
    fuzzy: undefined,
    isProof: false,
    hasOthers: false,
  };
  const step = stepOf(open, outcome, {}, judged);
  state.check = undefined;
  followFailure(state, step, outcome, countsTests);
  state.latest = step;
  return step;
}

/** Whether a call that was just made has come to nothing before, beyond doubt, and nothing has happened since. */
export function isProvenBarren(state: RunState, open: OpenCall, { progress }: Judgement): boolean {
  return state.calls.isProven(open.call, momentOf(state, open, undefined, progress));
}

/** Whether a call that was just made can only repeat what it did before: nothing changed, and it is no waiting. */
export function wouldBeBarren(state: RunState, open: OpenCall, judgement: Judgement): boolean {
  const moment = momentOf(state, open, undefined, judgement.progress);
  const { like } = open.facts;
  const isBarren =
    state.calls.wouldRepeat(open.call, moment) || (like !== undefined && state.likes.wouldRepeat(like, moment));
  return isBarren && !waitsBefore(open, state.counters.lentMs, judgement.rule);
}

/** What the memory says about a step. */
interface Judged {
  /** Identity of the outcome in substance. */
  readonly key: Digest;
  readonly isNew: boolean;
  readonly isExcused: boolean;
  readonly isWaiting: boolean;
  readonly isTwin: boolean;
  readonly exact: Repeat;
  readonly fuzzy: Step["fuzzy"];
  readonly isProof: boolean;
  readonly hasOthers: boolean;
}

function judge(
  state: RunState,
  open: OpenCall,
  digest: Digest,
  like: Digest | undefined,
  moment: Moment,
  judgement: Judgement,
  outcome: Outcome | undefined,
): Judged {
  const { counters, calls, likes, news } = state;
  const isSynthetic = outcome?.isSynthetic === true;
  const recalled = recall(calls, open.call, digest, moment, isSynthetic);
  const alike = like === undefined ? undefined : recall(likes, like, digest, moment, isSynthetic);
  const known = (knownNow(recalled, moment) ?? knownNow(alike, moment))?.known;
  const isTwin = known?.rounds.includes(open.round) === true;
  // Only a repeat is worth asking what it waits for, and what it proves.
  const waiting = isTwin || known === undefined ? undefined : waitingOf(open, outcome, counters.lentMs, judgement.rule);
  const mayWait = known !== undefined && isPatient(waiting, known, judgement.progress.patienceMs, judgement.rule);
  if (known !== undefined && waiting !== undefined) noteWaiting(known, open, counters.lentMs);
  if (!isTwin) counters.lentMs = sleptMs(open, outcome);
  const previous = known?.index ?? open.index;
  const previousRound = known?.round ?? open.round;
  const exact =
    recalled === undefined ? calls.add(open.call, digest, moment) : calls.record(open.call, recalled, moment, mayWait);
  const fuzzy =
    like === undefined
      ? undefined
      : alike === undefined
        ? likes.add(like, digest, moment)
        : likes.record(like, alike, moment, mayWait);
  // Whoever tries something new between two looks is not in a closed circle.
  const isClosed = known === undefined || counters.lastNewCall <= previous;
  const mayProve = recalled !== undefined || outcome?.failure !== undefined;
  const isDirect = open.index - previous <= 1 || open.round - previousRound <= 1;
  const proves = mayProve && isClosed && provesNothingHappened(open, outcome, waiting, isDirect);
  if (!isSynthetic) calls.note(open.call, proves);
  const isNew = known === undefined && !isSynthetic;
  if (recalled === undefined && alike === undefined && mayBeNews(open, outcome))
    news.note(open.index, open.round, outcome === undefined ? open.call : digest);
  return {
    key: recalled?.known.digest ?? digest,
    isNew,
    isExcused: mayWait || exact.reason === "compaction",
    isWaiting: waiting !== undefined,
    isTwin,
    exact,
    fuzzy: fuzzy && { like: like!, ...fuzzy },
    isProof: isProof(exact, recalled) && proves,
    hasOthers: recalled?.hasOthers === true,
  };
}

/** A failure, silence and a stand-in tell nothing; where nobody sees outcomes, a new call is all the news there is. */
function mayBeNews(open: OpenCall, outcome: Outcome | undefined): boolean {
  if (outcome === undefined) return open.isNewCall;
  return outcome.failure === undefined && !outcome.isSynthetic && !isEmptyOutcome(outcome);
}

/** Only what came back to the letter proves anything; of a failure, times and ids may differ. */
function isProof({ strength }: Repeat, recalled: Recollection | undefined): boolean {
  if (recalled === undefined || strength === "exact") return recalled !== undefined;
  return strength === "masked" && recalled.known.isFailing;
}

function stepOf(open: OpenCall, outcome: Outcome | undefined, rule: ToolRule, judged: Judged): Step {
  return {
    index: open.index,
    round: open.round,
    tool: open.tool,
    isComparable: open.isComparable,
    isSynthetic: outcome?.isSynthetic === true,
    call: open.call,
    facts: open.facts,
    outcome: judged.key,
    failure: outcome?.failure,
    isBlind: false,
    isBlindByInference: false,
    isEmpty: outcome !== undefined && isEmptyOutcome(outcome),
    isTelling: outcome !== undefined && isTelling(outcome),
    isNothing: outcome !== undefined && isNothing(outcome),
    isNew: judged.isNew,
    isExcused: judged.isExcused,
    isWaiting: judged.isWaiting,
    isTwin: judged.isTwin,
    isWordy: open.isWordy,
    isProof: judged.isProof,
    hasOthers: judged.hasOthers,
    threshold: rule.threshold,
    exact: judged.exact,
    fuzzy: judged.fuzzy,
  };
}

function momentOf(state: RunState, open: OpenCall, outcome: Outcome | undefined, progress: ResolvedProgress): Moment {
  const { counters, world, news } = state;
  return {
    index: open.index,
    round: open.round,
    turn: progress.userTurn ? counters.turn : 0,
    compaction: counters.compaction,
    isFailing: outcome?.failure !== undefined,
    length: outcome?.length,
    at: open.at,
    world,
    hasNewsSince: (round) => progress.news && news.hasComeSince(round),
    workingLaps: WORKING_LAPS,
    isWordy: open.isWordy,
    isByEquality: progress.comparedCharacters !== undefined,
    facts: open.facts,
  };
}

/** A refused call counts towards the outcome that it had before, if it had one. */
function recall(
  occurrences: Occurrences,
  key: Digest,
  outcome: Digest,
  moment: Moment,
  isSynthetic: boolean,
): Recollection | undefined {
  return (isSynthetic ? occurrences.recallLatest(key, moment) : undefined) ?? occurrences.recall(key, outcome, moment);
}

/** What is known of the outcome now: seen in this state of the world. */
function knownNow(recollection: Recollection | undefined, moment: Moment): Recollection | undefined {
  return recollection !== undefined && isKnownNow(recollection.known, moment) ? recollection : undefined;
}

/** What a step means for the cycles and the barren rounds that it continues or ends. */
function followNovelty(state: RunState, step: Step): void {
  if (!step.isExcused && !step.isTwin)
    state.lags.push(step.call, step.outcome, step.index, {
      isProof: step.isProof,
      isExact: step.exact.strength === "exact",
    });
}

function rememberStep(state: RunState, open: OpenCall, step: Step, length: number): void {
  const { index, round, tool, call, outcome, isTelling: tells, isNothing: nothing } = step;
  const isFailing = step.failure !== undefined;
  remember(state, {
    index,
    round,
    tool,
    call,
    facts: open.facts,
    outcome,
    isFailing,
    isTelling: tells,
    isNothing: nothing,
    length,
  });
}
