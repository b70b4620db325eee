import type { KnownOutcome } from "../memory/known-outcome.ts";
import { isKnown } from "../memory/pauses.ts";
import type { RunState } from "../memory/run-state.ts";
import { saysItGoesOn, saysItIsOver } from "../outcome/answer-says.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";
import { type Intent, intentOf } from "../words/stated-intent.ts";
import {
  ACT_SHOWN_LENGTH,
  CHECKS_WITH_ACTS,
  HASTY_CHECKS,
  LONGEST_THOUGHT_MS,
  NOMINAL_MS,
  QUIET_CHECKS,
  QUIET_MS,
  SCHEDULE_MS,
  SHORTEST_TIMER_MS,
  SHORTEST_WAIT_MS,
  TIMED_CHECKS,
  TIMER_DEPTH,
  TIMER_FIELDS,
  TIMER_NUMBERS,
  TIMER_TEXT_LENGTH,
  TIMER_TOLERANCE,
  TIMER_TOLERANCE_MS,
  UNTIMED_CHECKS,
} from "./limits.ts";
import type { Situation } from "./situation.ts";
import { broughtIn } from "./table.ts";

/** What a number may be: milliseconds, seconds, minutes. */
const UNITS_MS = [1, 1_000, 60_000];

/** How a step waits: for a time that can be measured, or perhaps, because there may be something to wait for. */
type Waiting = "timed" | "perhaps" | undefined;

/**
 * Whether a step waits for something.
 *
 * It does if it comes after a pause, if it took as long as its own arguments say, if it sleeps, or if it follows a step that slept. It may
 * if its answer says that something goes on or that somebody else is at it, or if it checks what the run has just set going. An answer that
 * says that all is over ends the waiting.
 */
export function waitingOf(known: KnownOutcome, situation: Situation): Waiting {
  const { state, step, outcome, rules } = situation;
  if (rules.rule.poll) return "timed";
  const { text = "", failure } = outcome ?? {};
  const isBackOff = failure !== undefined && (failure.strength === "told" || failure.isBusy);
  if (outcome !== undefined && !isBackOff && saysItIsOver(text)) return undefined;
  const isTimed = sleeps(step) || step.isPaused || state.lentMs > 0 || isTimer(step, outcome);
  // An agent that acts again before every check does not wait.
  if (isTimed && known.looks >= CHECKS_WITH_ACTS && hasActedSince(known, situation)) return undefined;
  if (isTimed) return thinksInPauses(known, situation) ? undefined : "timed";
  if (outcome === undefined) return undefined;
  if (failure === undefined ? saysItGoesOn(text) : failure.isBusy && step.facts.reading.act !== "measures")
    return "perhaps";
  const isFollowing = known.isAfterAct && mayFollow(situation) && !hasActedSince(known, situation);
  return isFollowing ? "perhaps" : undefined;
}

/**
 * Whether the agent was thinking in its pauses, and not waiting. A pause alone makes no failing test pass. And while nobody knows how long
 * the model takes to think, a slow model looks like a patient one. The agent is believed to wait for some time all the same, and for ever if
 * it keeps a schedule.
 */
function thinksInPauses(known: KnownOutcome, { state, step, outcome }: Situation): boolean {
  if (sleeps(step) || state.lentMs > 0 || known.lastPauseMs >= SCHEDULE_MS || outcome === undefined) return false;
  const { text = "", failure } = outcome;
  const times = timesAsPatient(intentOf(state.intent));
  if (step.facts.reading.act === "measures" && failure?.isBusy === false) return known.looks >= HASTY_CHECKS * times;
  if (isKnown(state.pace) || known.lastPauseMs >= LONGEST_THOUGHT_MS || isTimer(step, outcome)) return false;
  const saysToWait = failure === undefined ? saysItGoesOn(text) : failure.isBusy;
  return !saysToWait && known.looks >= TIMED_CHECKS * times;
}

/** Whether a call that was just made waits, as far as that can be told before its answer. */
export function waitsBefore(step: Step, lentMs: number, rule: ToolRule): boolean {
  return Boolean(rule.poll) || step.isPaused || lentMs > 0 || sleeps(step);
}

/** The time that a step has slept. It lends this time to the checks of the next round. */
export function sleptMs(step: Step, outcome: Outcome | undefined): number {
  if (isTimer(step, outcome)) return outcome!.at! - step.at!;
  if (!sleeps(step)) return 0;
  const { act, waitMs } = step.facts.reading;
  return act === "waits" && !step.facts.isCommand ? Math.max(waitMs, 1) : waitMs;
}

/** Whether there is patience left for one more check without a change. */
export function isPatient(waiting: Waiting, known: KnownOutcome, { state, step, rules }: Situation): boolean {
  const { patienceMs } = rules.progress;
  const { poll } = rules.rule;
  if (waiting === undefined) return false;
  if (typeof poll === "object") return known.waitedMs < poll.patienceMs;
  if (patienceMs === 0) return false;
  const times = timesAsPatient(intentOf(state.intent));
  if (waiting === "timed")
    return known.looks < TIMED_CHECKS || known.waitedMs < patienceMs * times || known.lastPauseMs >= SCHEDULE_MS;
  if (step.at === undefined || known.at === undefined) return known.looks < UNTIMED_CHECKS * times;
  const waitedMs = known.waitedMs + Math.max(0, step.at - known.at);
  return known.looks < (waitedMs >= QUIET_MS * (known.looks + 1) ? QUIET_CHECKS : HASTY_CHECKS) * times;
}

/** How many times as long the agent may wait: three times if the user asked it to watch, twice if it says what it waits for. */
function timesAsPatient({ isWatching, isWaiting }: Intent): number {
  return isWatching ? 3 : isWaiting ? 2 : 1;
}

/** Notes one more check without a change. */
export function noteCheck(known: KnownOutcome, step: Step, lentMs: number): void {
  const passedMs = step.at !== undefined && known.at !== undefined ? Math.max(0, step.at - known.at) : NOMINAL_MS;
  const askedMs = step.facts.reading.waitMs;
  known.lastPauseMs = Math.max(step.at === undefined ? 0 : passedMs, askedMs, lentMs);
  known.waitedMs += Math.max(passedMs, askedMs, lentMs);
  known.looks++;
}

/** Whether a call may be made again because something is under way, and not for its own sake. */
function mayFollow(situation: Situation): boolean {
  const { step } = situation;
  const brought = broughtIn(situation);
  const { act, bringsText, isOutside } = step.facts.reading;
  if (step.failure?.isFaultyCall === true || step.failure?.isClosedDoor === true) return false;
  if (act === "watches") return true;
  if (act === "looks") return brought !== "seen";
  if (brought === "seen") return false;
  // An act that fails has not been done; a program that nobody knows may be one that asks.
  if (act === "runs") return brought !== "failure" || isOutside;
  return act === "steps" && !bringsText && brought !== "failure";
}

/** Whether the run set something going with the call right before a step. */
export function isRightAfterAct({ history }: RunState, { index }: Step): boolean {
  return history.some((earlier) => earlier.index === index - 1 && isAct(earlier));
}

function hasActedSince({ index }: KnownOutcome, { state, step }: Situation): boolean {
  return state.history.some(
    (between) => between.index > index && between.index < step.index && isAct(between) && !between.hasSlept,
  );
}

/** Whether a step set something going that it did not show. */
function isAct(step: Step): boolean {
  if (step.failure !== undefined || step.isSynthetic) return false;
  const { act, isStarting, bringsText } = step.facts.reading;
  if (isStarting || act === "runs") return true;
  // What brings no text of its own edits no file.
  const isElsewhere = act === "writes" && !step.facts.isCommand && !bringsText;
  return (act === "steps" || isElsewhere) && (step.facts.isCommand || step.length <= ACT_SHOWN_LENGTH);
}

function sleeps(step: Step): boolean {
  const { act, waitMs } = step.facts.reading;
  return act === "waits" || waitMs >= SHORTEST_WAIT_MS;
}

/** Whether a call took as long as it was told to. A call that fails did not wait: its number is a port, a limit, a part of a name. */
function isTimer({ at, numbers }: Step, outcome: Outcome | undefined): boolean {
  if (at === undefined || outcome?.at === undefined || outcome.failure !== undefined) return false;
  return tookAsLongAsTold(outcome.at - at, numbers);
}

/** The numbers in a call's arguments that may be times: in its fields, and inside their text. */
export function numbersIn(args: unknown): readonly number[] {
  if (typeof args === "string") return [...numbersInText(args)].slice(0, TIMER_NUMBERS);
  if (typeof args !== "object" || args === null) return [];
  const numbers: number[] = [];
  collect(numbers, args, 0);
  return numbers.slice(0, TIMER_NUMBERS);
}

/** Collects numbers from an object's fields, and from the objects in them: many protocols wrap arguments once more. */
function collect(numbers: number[], args: object, depth: number): void {
  for (const key of Object.keys(args).slice(0, TIMER_FIELDS)) {
    const value: unknown = Object.getOwnPropertyDescriptor(args, key)?.value;
    if (typeof value === "number") numbers.push(value);
    else if (typeof value === "string") numbers.push(...numbersInText(value));
    else if (typeof value === "object" && value !== null && depth < TIMER_DEPTH) collect(numbers, value, depth + 1);
  }
}

/** Whether a call took as long as a number in its own arguments says: it was told to wait, whatever it is called. */
export function tookAsLongAsTold(tookMs: number, numbers: readonly number[]): boolean {
  if (tookMs < SHORTEST_TIMER_MS) return false;
  const times = numbers.filter(Number.isFinite).flatMap((number) => UNITS_MS.map((unit) => number * unit));
  return times.some(
    (ms) => ms >= SHORTEST_TIMER_MS && Math.abs(tookMs - ms) <= TIMER_TOLERANCE * ms + TIMER_TOLERANCE_MS,
  );
}

function* numbersInText(text: string): Iterable<number> {
  if (text.length > TIMER_TEXT_LENGTH) return;
  let number = -1;
  for (let at = 0; at <= text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) number = Math.min((number < 0 ? 0 : number * 10) + unit - 48, 1e9);
    else if (number >= 0) {
      if (number > 0) yield number;
      number = -1;
    }
  }
}
