import type { OutcomeStrength } from "../finding.ts";
import { type KnownOutcome, latestOf } from "../memory/known-outcome.ts";
import type { JudgedStep, Step } from "../step.ts";
import { intentOf } from "../words/stated-intent.ts";
import { findKnown, outcomesAlike, substanceKeyOf } from "./find-known.ts";
import { repeatOf } from "./judge-repeat.ts";
import { PROVING_LENGTH, TELLS_ALL } from "./limits.ts";
import { isKnownNow, type Situation } from "./situation.ts";
import { broughtIn, cellOf } from "./table.ts";
import { isPatient, waitingOf } from "./waiting.ts";

/** Judges a call with its outcome, or alone where outcomes are not looked at, by what the run remembers. It changes nothing: `recordStep` does. */
export function judgeStep(situation: Situation): JudgedStep {
  const { state, step, rules, outcome, blindness } = situation;
  const outcomes = state.byCall.get(step.call) ?? [];
  const known = findKnown(outcomes, situation);
  const like = substanceKeyOf(situation);
  const alikes = like === undefined ? [] : outcomesAlike(like, situation);
  const alike = findKnown(alikes, situation);
  const current = [known, alike].find((each) => each !== undefined && isKnownNow(each, situation));
  const isSameRoundDuplicate = current?.rounds.includes(step.round) === true;
  // Only a call that was made before can be a check on something.
  const checked = isSameRoundDuplicate ? undefined : (current ?? latestNow(outcomes, situation));
  const waiting = checked && waitingOf(checked, situation);
  const mayWait = checked !== undefined && isPatient(waiting, checked, situation);
  const exact = repeatOf(known, outcomes, situation, mayWait);
  return {
    step,
    blindness,
    isNew: current === undefined && !step.isSynthetic,
    isExcused: mayWait || exact.reason === "compaction",
    isWaiting: waiting !== undefined,
    checked: waiting && checked,
    isSameRoundDuplicate,
    isProof:
      areEqual(exact.strength, step) &&
      known !== undefined &&
      // What was asked for as often proves nothing.
      exact.reason !== "sampling" &&
      // An agent that tries something new between two looks is not in a closed circle.
      (current === undefined || state.lastNewCall <= current.index) &&
      waiting === undefined &&
      provesNothingHappened(situation),
    tells: known === undefined ? TELLS_ALL : tellsOf(situation),
    text: outcome?.text ?? "",
    exact,
    fuzzy: like === undefined ? undefined : { like, ...repeatOf(alike, alikes, situation, mayWait) },
    threshold: rules.rule.threshold,
  };
}

/** What the call came to last, in this state of the world. */
function latestNow(outcomes: readonly KnownOutcome[], situation: Situation): KnownOutcome | undefined {
  const latest = latestOf(outcomes);
  return latest !== undefined && isKnownNow(latest, situation) ? latest : undefined;
}

/** How much a repeat tells of what came of it, in characters. */
function tellsOf(situation: Situation): number {
  if (cellOf(situation).forgives === 0) return TELLS_ALL;
  const brought = broughtIn(situation);
  return brought === "mute" || brought === "nothing" ? 0 : situation.step.length;
}

/** Whether outcomes that are the same in substance are so beyond doubt; of a failure, times and ids may differ. */
function areEqual(strength: OutcomeStrength, { failure }: Step): boolean {
  return strength === "exact" || (strength === "masked" && failure !== undefined);
}

/**
 * Whether an outcome would show it if anything had happened, so that having it again proves that nothing did. The step does not wait.
 *
 * An agent that comes back after a pause keeps an eye on something, even if that is over: it can be told, and is not ended for it.
 */
function provesNothingHappened(situation: Situation): boolean {
  const { step, state, outcome } = situation;
  if (outcome === undefined || step.isSynthetic || step.isPaused || !cellOf(situation).isSure) return false;
  const { act, isOutside } = step.facts.reading;
  // An agent that was asked to keep an eye on something looks again.
  if ((act === "looks" || act === "watches") && intentOf(state.intent).isWatching) return false;
  // What others may change must tell much, and a program that asks about it can tell at any time that it changed.
  const mayChange = step.failure === undefined && (act === "watches" || act === "steps");
  return !mayChange || (step.length >= PROVING_LENGTH && !(step.facts.isCommand && isOutside));
}
