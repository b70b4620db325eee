import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import { type KnownOutcome, latestOf, newOutcome } from "../memory/known-outcome.ts";
import { noteNews, remember } from "../memory/run-state.ts";
import { noteLines } from "../memory/told-lines.ts";
import { keepOutcome } from "../memory/views.ts";
import { noteChange } from "../memory/world.ts";
import type { JudgedStep, Repeat } from "../step.ts";
import { hasNewsInLap } from "./judge-repeat.ts";
import { LINES_LENGTH, OPEN_ROUNDS, OUTCOMES_PER_CALL, REMEMBERED_CALLS, REMEMBERED_LIKE } from "./limits.ts";
import { isKnownNow, type Situation } from "./situation.ts";
import { isRightAfterAct, noteCheck, sleptMs } from "./waiting.ts";

/**
 * Writes a judged step into what the run remembers. The one place where judging changes anything.
 *
 * A change that the step made is noted last, so that it never excuses its own repeat.
 */
export function recordStep(situation: Situation, judged: JudgedStep): void {
  const { state, step, rules, outcome } = situation;
  const { exact, fuzzy, checked, isProof, isExcused } = judged;
  const hadSucceeded = state.byCall.get(step.call)?.some(({ isFailing }) => !isFailing) === true;
  if (checked !== undefined) noteCheck(checked, step, state.lentMs);
  lend(situation);
  recordRepeat(state.byCall, step.call, exact, situation);
  if (fuzzy !== undefined) recordRepeat(state.byLike, fuzzy.like, fuzzy, situation);
  const latest = latestOf(state.byCall.get(step.call));
  if (latest !== undefined && !step.isSynthetic) latest.proves = isProof;
  step.isNews = exact.known === undefined && fuzzy?.known === undefined;
  step.isExcused = isExcused;
  if (step.isNews && mayBeNews(situation)) noteNews(state.news, step, outcome === undefined ? step.call : step.outcome);
  if (exact.known !== undefined) step.outcome = exact.known.digest;
  remember(state, step);
  if (outcome === undefined) return;
  if (step.said !== undefined && outcome.length >= LINES_LENGTH)
    Object.assign(step, noteLines(state.told, keepOutcome(outcome.text, outcome.length).text!));
  // A call that fails as before has changed no more than before.
  const mayChange = !hadSucceeded && (step.failure === undefined || step.isNews);
  if (rules.progress.worldChange && mayChange) noteChange(state.world, step, state.lastJudged);
  if (step.isNewCall) state.lastNewCall = Math.max(state.lastNewCall, step.index);
  state.lastJudged = Math.max(state.lastJudged, step.index);
}

/** Counts an outcome under one identity of the call. */
function recordRepeat(
  table: Map<Digest, KnownOutcome[]>,
  key: Digest,
  { known, count, indices, strength, reason, beginsAnew, passed }: Repeat,
  situation: Situation,
): void {
  const { state, step } = situation;
  const { index, round, at } = step;
  const { turn, compaction } = state;
  const outcomes = table.get(key) ?? (known === undefined ? [] : [known]);
  setRecent(table, key, outcomes, table === state.byCall ? REMEMBERED_CALLS : REMEMBERED_LIKE);
  if (known === undefined) {
    addOutcome(outcomes, situation);
    return;
  }
  const newsLaps = hasNewsInLap(known, situation) ? known.newsLaps + 1 : 0;
  Object.assign(known, { count, indices, strength, passed, newsLaps, index, compaction, at });
  known.round = Math.max(known.round, round);
  if (reason !== "same-round") known.isFirst = false;
  if (reason === "sampling" || reason === "says-nothing") known.forgiven++;
  if (!known.rounds.includes(round)) known.rounds = [...known.rounds, round].slice(-OPEN_ROUNDS);
  if (!beginsAnew) return;
  const isAfterAct = isRightAfterAct(state, step);
  Object.assign(known, { turn, rounds: [round], forgiven: 0, first: index, isAfterAct, looks: 0, waitedMs: 0 });
  // A compaction makes the agent forget what else it found, too.
  if (reason !== "news-in-lap") known.firstCompaction = compaction;
}

/** Adds an outcome that the call never had before. */
function addOutcome(outcomes: KnownOutcome[], situation: Situation): void {
  const { state, step } = situation;
  const latest = latestOf(outcomes);
  const known = newOutcome(step.outcome, step, state, isRightAfterAct(state, step));
  // An agent that waits for a failure to pass goes on waiting, in whatever words the failure comes.
  if (known.isFailing && latest?.isFailing === true && isKnownNow(latest, situation)) {
    const { looks, waitedMs, lastPauseMs, first, isAfterAct } = latest;
    Object.assign(known, { looks, waitedMs, lastPauseMs, first, isAfterAct });
  }
  pushLatest(outcomes, known, OUTCOMES_PER_CALL);
}

/** A step that slept lends its time to all checks of the next round. */
function lend({ state, step, outcome }: Situation): void {
  const slept = sleptMs(step, outcome);
  step.hasSlept = slept > 0;
  if (slept > 0) {
    state.lentMs = slept;
    state.lentIn = step.round;
  } else if (step.round > state.lentIn + 1) state.lentMs = 0;
}

/** A failure, silence and a stand-in tell nothing; where nobody sees outcomes, a new call is all the news there is. */
function mayBeNews({ step, outcome }: Situation): boolean {
  return outcome === undefined ? step.isNewCall : step.failure === undefined && !step.isSynthetic && !step.isEmpty;
}
