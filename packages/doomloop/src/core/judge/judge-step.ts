import type { Digest } from "../identity/digest.ts";
import { isEmptyOutcome, isNothing, isTelling, type Outcome } from "../identity/outcome.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { asksForTime } from "../progress/patience.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { Repeat, Step } from "../step.ts";
import { followFailure, noteChange } from "./follow-step.ts";
import { uniqueDigest } from "./identify-call.ts";
import { isKnownNow, isRecall, type Moment } from "./known-outcome.ts";
import { likeOf } from "./like-of.ts";
import type { Occurrences, Recollection } from "./occurrences.ts";
import type { OpenCall } from "./open-calls.ts";
import { type RunState, remember } from "./run-state.ts";
import { takeTime } from "./take-time.ts";

/** How steps are judged: the run's options and the rule of the step's tool. */
export interface Judgement {
  readonly progress: ResolvedProgress;
  readonly rule: ToolRule;
  /** Every run of tests counts, whatever its outcome: each failing command must be read to tell. */
  readonly countsTests: boolean;
}

const NO_REPEAT: Repeat = { count: 1, indices: [], strength: "exact" };
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
  const judged = judge(state, open, digest, like, moment, judgement, outcome);
  const step = stepOf(open, outcome, judgement.rule, judged);
  followNovelty(state, step);
  state.check = undefined;
  if (!isSynthetic) followFailure(state, step, outcome, judgement.countsTests);
  rememberStep(state, open, step, outcome.length);
  if (judgement.progress.worldChange) noteChange(state.world, open, outcome);
  state.latest = step;
  return step;
}

/** Judges a call alone, where outcomes are not seen or not looked at. */
export function judgeBlindly(state: RunState, open: OpenCall, judgement: Judgement, isInferred: boolean): Step {
  const moment = momentOf(state, open, undefined, judgement.progress);
  if (isInferred) moment.digression = 0;
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
  };
  const step = stepOf(open, outcome, {}, judged);
  state.check = undefined;
  followFailure(state, step, outcome, countsTests);
  state.latest = step;
  return step;
}

/** Whether a call that was just made can only repeat what it did before: nothing changed, and it is no waiting. */
export function wouldBeBarren(state: RunState, open: OpenCall, judgement: Judgement): boolean {
  const moment = momentOf(state, open, undefined, judgement.progress);
  const { like } = open.facts;
  const isBarren =
    state.calls.wouldRepeat(open.call, moment) || (like !== undefined && state.likes.wouldRepeat(like, moment));
  return isBarren && !asksForTime(open.tool, open.facts, undefined, Boolean(judgement.rule.poll));
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
  const { counters, calls, likes } = state;
  const isSynthetic = outcome?.isSynthetic === true;
  const recalled = recall(calls, open.call, digest, moment, open.tool, isSynthetic);
  const alike = like === undefined ? undefined : recall(likes, like, digest, moment, open.tool, isSynthetic);
  const known = knownNow(recalled, moment) ?? knownNow(alike, moment);
  const isTwin = known?.known.round === open.round;
  const isWaiting = isTwin
    ? false
    : takeTime(state.counters, open, outcome, Boolean(judgement.rule.poll), known?.known);
  const isInPatience = isWaiting && known !== undefined && known.known.waitedMs < patienceOf(judgement);
  const isExcused = isInPatience || (known !== undefined && isRecall(known.known, moment));
  const isNew = known === undefined && !isSynthetic;
  if (isNew) moment.novelty = ++counters.novelty;
  const exact = calls.count(open.call, digest, recalled, moment, !isExcused);
  const fuzzy = like === undefined ? undefined : { like, ...likes.count(like, digest, alike, moment, !isExcused) };
  return { key: recalled?.known.digest ?? digest, isNew, isExcused, isWaiting, isTwin, exact, fuzzy };
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
    threshold: rule.threshold,
    exact: judged.exact,
    fuzzy: judged.fuzzy,
  };
}

function momentOf(state: RunState, open: OpenCall, outcome: Outcome | undefined, progress: ResolvedProgress): Moment {
  const { counters, world } = state;
  return {
    index: open.index,
    round: open.round,
    turn: progress.userTurn ? counters.turn : 0,
    compaction: counters.compaction,
    novelty: counters.novelty,
    isFailing: outcome?.failure !== undefined,
    length: outcome?.length ?? 0,
    at: open.at,
    world,
    digression: progress.digression === false ? undefined : progress.digression,
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
  tool: string,
  isSynthetic: boolean,
): Recollection | undefined {
  return (
    (isSynthetic ? occurrences.recallLatest(key, moment) : undefined) ?? occurrences.recall(key, outcome, moment, tool)
  );
}

/** What is known of the outcome now: seen in this state of the world. */
function knownNow(recollection: Recollection | undefined, moment: Moment): Recollection | undefined {
  return recollection !== undefined && isKnownNow(recollection.known, moment) ? recollection : undefined;
}

function patienceOf({ progress, rule }: Judgement): number {
  return typeof rule.poll === "object" ? rule.poll.patienceMs : progress.patienceMs;
}

/** What a step means for the cycles and the barren rounds that it continues or ends. */
function followNovelty(state: RunState, step: Step): void {
  const { counters, lags } = state;
  if (step.isExcused) return;
  if (!step.isTwin) lags.push(step.call, step.outcome, step.index);
  if (step.isNew) {
    counters.barrenRounds = 0;
    counters.failedRounds = 0;
  } else if (step.threshold !== undefined && step.exact.count < step.threshold) return;
  else if (counters.barrenRound !== step.round) {
    counters.barrenRounds++;
    if (step.failure !== undefined) counters.failedRounds++;
  }
  counters.barrenRound = step.round;
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
