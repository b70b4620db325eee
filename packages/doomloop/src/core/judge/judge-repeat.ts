import { type KnownOutcome, latestOf, weaker } from "../memory/known-outcome.ts";
import { hasLearnedSince, type RunState } from "../memory/run-state.ts";
import { saysItIsOver, saysWhatChanged } from "../outcome/answer-says.ts";
import type { Reason } from "../reason.ts";
import type { Repeat, Step } from "../step.ts";
import { intentOf } from "../words/stated-intent.ts";
import { hasOthers, strengthOf } from "./find-known.ts";
import { MAX_RECALLS, MAX_REFILLS, SHOWN_INDICES, SHOWN_REASONS, UNTIL, WORKING_LAPS } from "./limits.ts";
import { isKnownNow, type Rules, type Situation } from "./situation.ts";
import { type Brought, broughtIn, cellOf, SAMPLES } from "./table.ts";
import { waitsBefore } from "./waiting.ts";

/** Whether a repeat counts, and if not, why not. */
type Worth = Pick<Repeat, "reason" | "beginsAnew">;

const COUNTS: Worth = { reason: undefined, beginsAnew: false };

/** How often a step has come back, this time included. `known` is its outcome as the run knows it; undefined if the outcome is new. */
export function repeatOf(
  known: KnownOutcome | undefined,
  outcomes: readonly KnownOutcome[],
  situation: Situation,
  isPatient: boolean,
): Repeat {
  const { index } = situation.step;
  if (known === undefined) {
    const strength = situation.outcome === undefined ? "blind" : "exact";
    return { known, count: 1, indices: [index], strength, reason: "new-outcome", beginsAnew: false, passed: [] };
  }
  const { reason, beginsAnew } = judgeRepeat(known, outcomes, situation, isPatient);
  const strength = strengthOf(known, situation);
  const indices = reason === undefined ? [...known.indices, index].slice(-SHOWN_INDICES) : known.indices;
  return {
    known,
    count: beginsAnew ? 1 : known.count + (reason === undefined ? 1 : 0),
    indices: beginsAnew ? [index] : indices,
    strength: beginsAnew ? strength : weaker(known.strength, strength),
    reason,
    beginsAnew,
    passed: reason === undefined ? known.passed : [...known.passed, { step: index, reason }].slice(-SHOWN_REASONS),
  };
}

/** Judges a repeat: is it barren, and if not, why not? `isPatient`: the step waits, and may. */
function judgeRepeat(
  known: KnownOutcome,
  outcomes: readonly KnownOutcome[],
  situation: Situation,
  isPatient: boolean,
): Worth {
  const { state, step, blindness } = situation;
  if (known.turn !== state.turn) return beginsAnew("user-spoke");
  if (!isKnownNow(known, situation)) return beginsAnew("changed-world");
  if (known.rounds.includes(step.round)) return passes("same-round");
  if (isRecall(known, situation)) return passes("compaction");
  if (isPatient) return passes("waiting");
  const brought = broughtIn(situation);
  if (hasNewsInLap(known, situation) && !isRefill(known, situation)) {
    // The look that follows an act shows what came of it, not the answer of the act itself.
    const isShownElsewhere = brought === "mute" || brought === "nothing";
    // Where results may still come, the calls so far may be a batch.
    const isWork = isShownElsewhere || blindness === "inferred" || known.newsLaps + 1 >= WORKING_LAPS;
    if (isWork) return beginsAnew("news-in-lap");
    // A failure that comes back after one digression is the failure that was there before it.
    if (brought !== "failure") return passes("news-in-lap");
  }
  if (brought === undefined || countsPlainly(situation)) return COUNTS;
  if (changesAgain(situation)) return beginsAnew("changed-world");
  if (isOver(situation)) return COUNTS;
  const isOneOfSeveral = isSample(situation, brought) && hasOthers(outcomes, known, situation);
  const { forgives, as } = isOneOfSeveral ? SAMPLES : cellOf(situation);
  if (known.forgiven < forgives) return passes(as);
  return known.forgiven < timesAskedFor(situation) ? passes("sampling") : COUNTS;
}

/**
 * What a call that was just made can come to, if its loop has shown: something (`open`), nothing as it seems (`barren`), or nothing beyond
 * doubt (`proven`).
 */
export function foresee(state: RunState, step: Step, rules: Rules): "open" | "barren" | "proven" {
  const situation: Situation = { state, step, rules, outcome: undefined, blindness: "none" };
  const outcomes = state.byCall.get(step.call) ?? [];
  const latest = latestOf(outcomes);
  // An outcome from before a change, or before the user spoke, says nothing about the next one.
  if (latest !== undefined && !isKnownNow(latest, situation)) return "open";
  // The agent may look again at what a compaction has erased, and may wait.
  if (latest?.compaction !== undefined && latest.compaction !== state.compaction) return "open";
  if (waitsBefore(step, state.lentMs, rules.rule)) return "open";
  // A call that comes to something else at times is on its way.
  return latest?.proves === true && !hasOthers(outcomes, latest, situation) ? "proven" : "barren";
}

/** A host that names a threshold or a patience for a tool means it. */
function countsPlainly({ rules: { progress, rule } }: Situation): boolean {
  return !progress.forgives || rule.threshold !== undefined || typeof rule.poll === "object";
}

/**
 * Whether the run has learned something since the outcome was last seen. News of the same round count, too, except for the first time: then
 * the outcome itself was news.
 */
export function hasNewsInLap(known: KnownOutcome, { state, rules }: Situation): boolean {
  return rules.progress.news && hasLearnedSince(state, known.isFirst ? known.round : known.round - 1);
}

/** How often the user wants it done: so often, or until something comes out. */
function timesAskedFor({ state, step }: Situation): number {
  const { times, isWatching } = intentOf(state.intent);
  return isWatching && step.facts.reading.act === "measures" ? Math.max(times, UNTIL) : times;
}

/** An act that says how much it changed has changed it, although it is made again: the next thousand rows. */
function changesAgain({ step, outcome, rules }: Situation): boolean {
  if (!rules.progress.worldChange || step.failure !== undefined) return false;
  const { act } = step.facts.reading;
  return (act === "steps" || act === "runs") && saysWhatChanged(outcome!.text);
}

/** What is watched says that it is over: asking again tells nothing more. */
function isOver({ step, outcome }: Situation): boolean {
  const { act } = step.facts.reading;
  return (act === "watches" || act === "waits") && step.failure === undefined && saysItIsOver(outcome!.text);
}

/** One of several short values that the call comes back with. */
function isSample({ step }: Situation, brought: Brought): boolean {
  const { act } = step.facts.reading;
  if (act === "measures") return true;
  return (brought === "mute" || brought === "reading") && act !== "asks" && act !== "says" && act !== "looks";
}

/** A first look after a compaction: the agent has forgotten what it read before, by no fault of its own. */
function isRecall(known: KnownOutcome, { state, step }: Situation): boolean {
  if (known.compaction === state.compaction || state.compaction - known.firstCompaction > MAX_RECALLS) return false;
  return step.failure === undefined && step.facts.reading.act !== "writes";
}

/** The same look after every compaction, with nothing changed in all that time: the agent forgets each time what else it finds. */
function isRefill(known: KnownOutcome, { state }: Situation): boolean {
  return state.compaction - known.firstCompaction > MAX_REFILLS;
}

function passes(reason: Reason): Worth {
  return { reason, beginsAnew: false };
}

function beginsAnew(reason: Reason): Worth {
  return { reason, beginsAnew: true };
}
