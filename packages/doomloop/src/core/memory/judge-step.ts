import type { Digest } from "../identity/digest.ts";
import { isEmptyOutcome, isTelling, type Outcome } from "../identity/outcome.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { asksForTime, waitedMs } from "../progress/patience.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { Repeat, Step } from "../step.ts";
import { failingTests } from "./checks.ts";
import { uniqueDigest } from "./identify-call.ts";
import { isKnownNow, type Moment, type Occurrences, type Recollection } from "./occurrences.ts";
import type { OpenCall } from "./open-calls.ts";
import { breakStreaks, type RunState, remember } from "./run-state.ts";

const NO_REPEAT: Repeat = { count: 1, indices: [], strength: "exact" };
const SHORT_FAILURE = 300;

/** How steps are judged: the run's options and the rule of the step's tool. */
export interface Judgement {
  readonly progress: ResolvedProgress;
  readonly rule: ToolRule;
}

/**
 * Judges a call with its outcome against all that the run remembers, and remembers it.
 *
 * The order matters: what was known is asked before the step is added, and whether it changed the world is settled
 * last, so that a change never excuses its own repeat.
 */
export function judgeStep(state: RunState, open: OpenCall, outcome: Outcome, judgement: Judgement): Step {
  const { counters, calls, likes, world } = state;
  const { progress, rule } = judgement;
  const digest = outcome.isSynthetic ? SYNTHETIC : (outcome.digest ?? uniqueDigest("outcome", open.index));
  const moment = momentOf(state, open, outcome, progress);
  const recall = (occurrences: Occurrences, call: Digest): Recollection | undefined =>
    (outcome.isSynthetic ? occurrences.recallLatest(call, moment) : undefined) ??
    occurrences.recall(call, digest, moment, open.tool);

  if (!outcome.isSynthetic) state.views.keepOutcome(open.index, outcome.text, outcome.length);
  const recalled = recall(calls, open.call);
  const alike = open.like === undefined ? undefined : recall(likes, open.like);
  const known = knownNow(recalled, moment) ?? knownNow(alike, moment);
  const isTwin = known !== undefined && known.known.round === open.round;
  const isWaiting = asksForTime(open.tool, open.effect, outcome, Boolean(rule.poll));
  const isExcused = isWaiting && !isOutOfPatience(known, open, patienceOf(judgement));
  const isNew = known === undefined && !outcome.isSynthetic;
  if (isNew && !isExcused) counters.novelty++;

  const counted = { ...moment, novelty: counters.novelty };
  const exact = calls.count(open.call, digest, recalled, counted, !isExcused);
  const fuzzy = open.like === undefined ? undefined : likes.count(open.like, digest, alike, counted, !isExcused);
  const key = recalled?.known.digest ?? digest;
  const step: Step = {
    index: open.index,
    round: open.round,
    tool: open.tool,
    call: open.call,
    like: open.like,
    effect: open.effect,
    outcome: key,
    failure: outcome.failure,
    isBlind: false,
    isEmpty: isEmptyOutcome(outcome),
    isTelling: isTelling(outcome),
    isNew,
    hasChangedWorld: progress.worldChange && changesWorld(open, outcome) && isNewEdit(state, open),
    isExcused,
    isWaiting,
    isTwin,
    threshold: rule.threshold,
    exact,
    fuzzy,
  };
  follow(state, step, outcome);
  if (step.hasChangedWorld) {
    world.change();
    calls.carryOver(open.call, world.epoch);
    if (open.like !== undefined) likes.carryOver(open.like, world.epoch);
    breakStreaks(state);
  }
  state.latest = step;
  return step;
}

/** Judges a call alone, where outcomes are not seen or not looked at. */
export function judgeBlindly(state: RunState, open: OpenCall, judgement: Judgement, digression: number | false): Step {
  const { counters, calls, likes } = state;
  const moment: Moment = {
    ...momentOf(state, open, undefined, judgement.progress),
    digression: digression === false ? undefined : digression,
  };
  const recalled = calls.recall(open.call, BLIND, moment, open.tool);
  const alike = open.like === undefined ? undefined : likes.recall(open.like, BLIND, moment, open.tool);
  const known = knownNow(recalled, moment) ?? knownNow(alike, moment);
  const isWaiting = asksForTime(open.tool, open.effect, undefined, Boolean(judgement.rule.poll));
  const isExcused = isWaiting && !isOutOfPatience(known, open, patienceOf(judgement));
  if (known === undefined) counters.novelty++;
  const counted = { ...moment, novelty: counters.novelty };
  const step: Step = {
    index: open.index,
    round: open.round,
    tool: open.tool,
    call: open.call,
    like: open.like,
    effect: open.effect,
    outcome: BLIND,
    failure: undefined,
    isBlind: true,
    isEmpty: false,
    isTelling: false,
    isNew: known === undefined,
    hasChangedWorld: false,
    isExcused,
    isWaiting,
    isTwin: known !== undefined && known.known.round === open.round,
    threshold: judgement.rule.threshold,
    exact: blind(calls.count(open.call, BLIND, recalled, counted, !isExcused)),
    fuzzy: open.like === undefined ? undefined : blind(likes.count(open.like, BLIND, alike, counted, !isExcused)),
  };
  if (!step.isTwin && !isExcused) state.lags.push(step.call, BLIND, step.index);
  rememberStep(state, step, 0);
  state.latest = step;
  return step;
}

/** Whether a call that was just made can only repeat what it did before: nothing changed, and it is no waiting. */
export function wouldBeBarren(state: RunState, open: OpenCall, judgement: Judgement): boolean {
  if (asksForTime(open.tool, open.effect, undefined, Boolean(judgement.rule.poll))) return false;
  const moment = momentOf(state, open, undefined, judgement.progress);
  return (
    state.calls.wouldRepeat(open.call, moment) ||
    (open.like !== undefined && state.likes.wouldRepeat(open.like, moment))
  );
}

/** Looks only at whether a step failed, where its call was judged blindly when it was made. */
export function judgeFailure(state: RunState, open: OpenCall, outcome: Outcome): Step {
  const step: Step = {
    index: open.index,
    round: open.round,
    tool: open.tool,
    call: open.call,
    like: open.like,
    effect: open.effect,
    outcome: outcome.digest ?? BLIND,
    failure: outcome.failure,
    isBlind: false,
    isEmpty: isEmptyOutcome(outcome),
    isTelling: isTelling(outcome),
    isNew: true,
    hasChangedWorld: false,
    isExcused: false,
    isWaiting: false,
    isTwin: false,
    threshold: undefined,
    exact: NO_REPEAT,
    fuzzy: undefined,
  };
  followFailure(state, step, outcome);
  state.latest = step;
  return step;
}

/** Stands for the outcome of every call whose outcome is not looked at. */
const BLIND: Digest = uniqueDigest("blind", 0);
/** Stands for the outcome of every call that was refused before it had any. */
const SYNTHETIC: Digest = uniqueDigest("synthetic", 0);

function blind(repeat: Repeat): Repeat {
  return { ...repeat, strength: "blind" };
}

function momentOf(state: RunState, open: OpenCall, outcome: Outcome | undefined, progress: ResolvedProgress): Moment {
  const { counters, world } = state;
  const isFailing = outcome?.failure !== undefined;
  const isLook = open.effect.kind !== "change" && !isFailing;
  return {
    index: open.index,
    round: open.round,
    turn: progress.userTurn ? counters.turn : 0,
    epoch: world.epoch,
    compaction: counters.compaction,
    novelty: counters.novelty,
    isFailing,
    digression: isLook && progress.digression !== false ? progress.digression : undefined,
    mayRecall: isLook,
    at: open.at,
  };
}

function knownNow(recollection: Recollection | undefined, moment: Moment): Recollection | undefined {
  return recollection !== undefined && isKnownNow(recollection.known, moment) ? recollection : undefined;
}

function patienceOf({ progress, rule }: Judgement): number {
  return typeof rule.poll === "object" ? rule.poll.patienceMs : progress.patienceMs;
}

function isOutOfPatience(known: Recollection | undefined, open: OpenCall, patienceMs: number): boolean {
  if (known === undefined) return false;
  const memory = known.known;
  if (memory.round !== open.round) memory.waitedMs += waitedMs(open.effect, open.at, memory.at);
  return memory.waitedMs >= patienceMs;
}

/** Whether a step may have changed the world: its call is new, and it did not plainly fail. */
function changesWorld(open: OpenCall, outcome: Outcome): boolean {
  if (!open.isNewCall || outcome.isSynthetic) return false;
  const { failure } = outcome;
  if (open.effect.kind === "unknown") return failure === undefined;
  if (open.effect.kind !== "change") return false;
  const hasPlainlyFailed = failure !== undefined && (failure.strength === "told" || outcome.length < SHORT_FAILURE);
  return !hasPlainlyFailed || open.effect.isCompound;
}

function isNewEdit(state: RunState, open: OpenCall): boolean {
  return open.edit === undefined || state.world.isNewEdit(open.edit);
}

/** What a judged step means for the streaks that it continues or ends. */
function follow(state: RunState, step: Step, outcome: Outcome): void {
  const { counters, lags } = state;
  if (!step.isExcused) {
    if (!step.isTwin) lags.push(step.call, step.outcome, step.index);
    if (step.isNew) counters.barrenRounds = 0;
    else if (counters.barrenRound !== step.round) counters.barrenRounds++;
    counters.barrenRound = step.round;
  }
  if (!outcome.isSynthetic) followFailure(state, step, outcome);
  rememberStep(state, step, outcome.length);
}

function followFailure(state: RunState, step: Step, outcome: Outcome): void {
  const { failures, checks } = state;
  const { failure, effect } = step;
  state.check = undefined;
  if (failure !== undefined) {
    failures.add({
      index: step.index,
      round: step.round,
      tool: step.tool,
      kind: failure.kind,
      isTold: failure.strength === "told",
      isFileWork: effect.isFileOperation,
    });
    const failing = effect.isTest ? failingTests(outcome.text) : undefined;
    const { index, round, call, outcome: key } = step;
    state.check = checks.fail({ call, outcome: key, index, round, isTest: effect.isTest, failing });
    return;
  }
  if (effect.kind === "wait" || (effect.kind === "look" && step.isEmpty)) return;
  failures.succeed(step.tool, step.index);
  checks.pass(step.call, effect.isTest);
}

function rememberStep(state: RunState, step: Step, length: number): void {
  const { index, round, tool, call, outcome, isTelling: isTellingStep } = step;
  const isFailing = step.failure !== undefined;
  remember(state, { index, round, tool, call, outcome, isFailing, isTelling: isTellingStep, length });
}
