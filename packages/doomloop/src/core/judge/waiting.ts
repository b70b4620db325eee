import type { KnownOutcome } from "../memory/known-outcome.ts";
import { saysItGoesOn, saysItIsOver } from "../outcome/answer-says.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";
import type { Rules } from "./moment.ts";
import { tookAsLongAsTold } from "./timers.ts";

/** How a step waits: for a time that somebody can measure, only by what its answer says, or not at all. */
export type Waiting = "timed" | "told" | undefined;

/** Looks that waiting may take whatever the time. */
const LOOKS = 16;
/** The same where nothing but the answer says that there is something to wait for. */
const TOLD_LOOKS = 20;
const HASTY_LOOKS = 8;
/** Whoever comes back after this long keeps a schedule, and may come back for ever. */
const SCHEDULE_MS = 300_000;
/** A command that sleeps for less lets something settle; it does not wait. */
const SHORTEST_WAIT_MS = 3_000;
/** What one look is worth where nobody tells how long it took. */
const NOMINAL_MS = 10_000;

/**
 * Whether a step waits for something.
 *
 * It does if it comes after a pause, if it took as long as its own arguments say, if it sleeps, or follows one that slept. What the answer
 * says counts for less: a job that goes on is worth another look, one that is over is not.
 */
export function waitingOf(step: Step, outcome: Outcome | undefined, lentMs: number, rule: ToolRule): Waiting {
  if (rule.poll) return "timed";
  if (sleeps(step)) return "timed";
  const { text = "", failure } = outcome ?? {};
  // Back-off from an error is waiting, too, and so is coming back later where that was asked for; an answer without that says that all is
  // over ends it.
  const isBackOff = failure !== undefined && (failure.strength === "told" || failure.isBusy);
  if (outcome !== undefined && !isBackOff && saysItIsOver(text)) return undefined;
  if (step.isPaused || lentMs > 0 || isTimer(step, outcome)) return "timed";
  return outcome !== undefined && failure === undefined && saysItGoesOn(text) ? "told" : undefined;
}

/** Whether a call that was just made waits, as far as that can be told before its answer. */
export function waitsBefore(step: Step, lentMs: number, rule: ToolRule): boolean {
  return Boolean(rule.poll) || step.isPaused || lentMs > 0 || sleeps(step);
}

/** The time that a step has spent by itself, and lends to the look that follows it. */
export function sleptMs(step: Step, outcome: Outcome | undefined): number {
  if (isTimer(step, outcome)) return outcome!.at! - step.at!;
  return sleeps(step) && factsOf(step).effect.kind === "wait" ? Math.max(factsOf(step).effect.waitMs, 1) : 0;
}

/** Whether there is patience left for one more look in vain. */
export function isPatient(waiting: Waiting, known: KnownOutcome, { rule, progress }: Rules): boolean {
  const { patienceMs } = progress;
  if (waiting === undefined) return false;
  if (typeof rule.poll === "object") return known.waitedMs < rule.poll.patienceMs;
  // Where there is a clock, it says that nobody waited: then the answer's word counts for less.
  if (waiting === "told") return patienceMs > 0 && known.looks < (known.at === undefined ? TOLD_LOOKS : HASTY_LOOKS);
  if (patienceMs === 0) return false;
  return known.looks < LOOKS || known.waitedMs < patienceMs || known.lastPauseMs >= SCHEDULE_MS;
}

/** Adds a look in vain to what is known. */
export function noteWaiting(known: KnownOutcome, step: Step, lentMs: number): void {
  const passedMs = step.at !== undefined && known.at !== undefined ? Math.max(0, step.at - known.at) : NOMINAL_MS;
  const askedMs = step.facts.mayWait ? factsOf(step).effect.waitMs : 0;
  known.lastPauseMs = Math.max(step.at === undefined ? 0 : passedMs, askedMs, lentMs);
  known.waitedMs += Math.max(passedMs, askedMs, lentMs);
  known.looks++;
}

function sleeps(step: Step): boolean {
  if (!step.facts.mayWait) return false;
  const { kind, waitMs } = factsOf(step).effect;
  return kind === "wait" || waitMs >= SHORTEST_WAIT_MS;
}

function isTimer({ at, numbers }: Step, outcome: Outcome | undefined): boolean {
  return at !== undefined && outcome?.at !== undefined && tookAsLongAsTold(outcome.at - at, numbers);
}
