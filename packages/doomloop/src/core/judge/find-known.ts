import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { type KnownOutcome, latestOf, newOutcome } from "../memory/known-outcome.ts";
import { recentSteps } from "../memory/run-state.ts";
import { compareSteps } from "../memory/views.ts";
import { isOfLength } from "../outcome/compare-outcomes.ts";
import type { Step } from "../step.ts";
import { LENGTH_SLACK, NOT_JUST_SHORT } from "./limits.ts";
import { isKnownNow, type Situation } from "./situation.ts";
import { isRightAfterAct } from "./waiting.ts";

/** Finds the step's outcome among those that its call had before: an equal one, or else one that is like it. */
export function findKnown(outcomes: readonly KnownOutcome[], situation: Situation): KnownOutcome | undefined {
  const { step, rules } = situation;
  const latest = latestOf(outcomes);
  // A refused call counts towards the outcome that the call had last.
  if (step.isSynthetic && latest !== undefined && isKnownNow(latest, situation)) return latest;
  const equal = outcomes.findLast((known) => isEqual(known, step));
  if (equal !== undefined || rules.progress.comparedCharacters !== undefined) return equal;
  return outcomes.findLast((known) => likeness(known, situation) !== undefined);
}

/** How much a known outcome, once found, is like that of the step. */
export function strengthOf(known: KnownOutcome, situation: Situation): OutcomeStrength {
  const { step, outcome } = situation;
  if (outcome === undefined) return "blind";
  if (step.isSynthetic) return known.strength;
  return isEqual(known, step) ? "exact" : likeness(known, situation)!;
}

/** Whether the call came back with something else, too, in this state of the world. */
export function hasOthers(outcomes: readonly KnownOutcome[], known: KnownOutcome, situation: Situation): boolean {
  return outcomes.some((other) => other !== known && isKnownNow(other, situation));
}

/**
 * The key under which a step is counted together with calls that are the same in substance. A command has one only if another command among
 * the latest steps came to the very same, and that is something.
 */
export function substanceKeyOf(situation: Situation): Digest | undefined {
  const { step, outcome } = situation;
  const { isCommand, like, blindLike } = step.facts;
  if (outcome === undefined) return blindLike;
  if (!isCommand) return step.length < NOT_JUST_SHORT ? (blindLike ?? like) : like;
  return sameCommand(situation) && like;
}

/** What calls of this key came to before. Of commands, only the first repeat is worth a key: the step before it is looked up. */
export function outcomesAlike(key: Digest, situation: Situation): readonly KnownOutcome[] {
  const { state, step } = situation;
  const known = state.byLike.get(key);
  if (known !== undefined) return known;
  const same = step.facts.isCommand && situation.outcome !== undefined ? sameCommand(situation) : undefined;
  return same === undefined ? [] : [newOutcome(step.outcome, same, state, isRightAfterAct(state, same))];
}

/** Another command among the latest steps that means the same and came to the same. */
function sameCommand({ state, step }: Situation): Step | undefined {
  const { like } = step.facts;
  if (like === undefined || step.failure !== undefined || step.isEmpty) return undefined;
  return recentSteps(state).find(
    ({ outcome, call, facts }) => outcome === step.outcome && call !== step.call && facts.like === like,
  );
}

function isEqual({ digest, isFailing }: KnownOutcome, { outcome, failure }: Step): boolean {
  return digest === outcome && isFailing === (failure !== undefined);
}

/** How much a known outcome is like that of the step; undefined if it says something else. */
function likeness(known: KnownOutcome, situation: Situation): "masked" | "similar" | undefined {
  const { state, step } = situation;
  const isFailing = step.failure !== undefined;
  if (known.isFailing !== isFailing || !isOfLength(known.length, step.length, LENGTH_SLACK)) return undefined;
  // A success in another state of the world is a new outcome in this one, however much alike.
  if (!isFailing && !isKnownNow(known, situation)) return undefined;
  const before = state.history.find(({ index }) => index === known.index);
  const alike = before && compareSteps(step, before);
  if (alike === undefined || alike === "same") return alike && "masked";
  return alike === "numbers" && !measuresItself(step) ? undefined : "similar";
}

/** Whether a call writes: made again, it brings nothing new, whatever it counts and measures as it runs. */
function measuresItself(step: Step): boolean {
  const { isCommand, reading } = step.facts;
  if (step.failure !== undefined || !(isCommand || step.isWordy)) return false;
  return reading.act === "writes" || (reading.act === "steps" && isCommand);
}
