import type { KnownOutcome } from "../memory/known-outcome.ts";
import { saysItGoesOn, saysItIsOver } from "../outcome/answer-says.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";
import { type Intent, intentOf } from "../words/stated-intent.ts";
import { broughtIn } from "./judge-repeat.ts";
import type { Moment } from "./moment.ts";
import { tookAsLongAsTold } from "./timers.ts";

/** How a step waits: for a time that somebody can measure, or perhaps, because there may be something to wait for. */
export type Waiting = "timed" | "perhaps" | undefined;

/** Looks after which doing the same before each of them is no waiting any more. */
const PATIENT_LOOKS = 2;
/** Looks that waiting may take whatever the time. */
const LOOKS = 16;
/** Looks that are forgiven to what perhaps waits: at a pace without a breath, at a quiet one, and where nobody knows. */
const HASTY_LOOKS = 9;
const QUIET_LOOKS = 21;
const UNTIMED_LOOKS = 13;
/** From one look to the next, on average. */
const QUIET_MS = 2_500;
/** Whoever comes back after this long keeps a schedule, and may come back for ever. */
const SCHEDULE_MS = 300_000;
/** A command that sleeps for less lets something settle; it does not wait. */
const SHORTEST_WAIT_MS = 3_000;
/** What one look is worth where nobody tells how long it took. */
const NOMINAL_MS = 10_000;
/** An act that so few calls before a look may be what the look waits for. */
const RIGHT_BEFORE = 1;
/** A tool that answers at more length has shown what came of it. */
const SHOWN = 60;

/**
 * Whether a step waits for something.
 *
 * It does if it comes after a pause, if it took as long as its own arguments say, if it sleeps, or follows one that slept. It may if its
 * answer says that something goes on, if it is turned away because somebody else is at it, or if it looks at once at what the
 * run has just set going. An answer that says that all is over ends that.
 */
export function waitingOf(known: KnownOutcome, moment: Moment): Waiting {
  const { state, step, outcome, rules } = moment;
  if (rules.rule.poll) return "timed";
  const { text = "", failure } = outcome ?? {};
  const isBackOff = failure !== undefined && (failure.strength === "told" || failure.isBusy);
  if (outcome !== undefined && !isBackOff && saysItIsOver(text)) return undefined;
  const isTimed = sleeps(step) || step.isPaused || state.lentMs > 0 || isTimer(step, outcome);
  // Whoever does the same again before every look does not wait for it.
  if (isTimed) return known.looks >= PATIENT_LOOKS && hasActedSince(known, moment) ? undefined : "timed";
  if (outcome === undefined) return undefined;
  if (failure === undefined ? saysItGoesOn(text) : failure.isBusy && factsOf(step).reading.act !== "measures")
    return "perhaps";
  return mayFollow(moment) && isRightAfterAct(known, moment) ? "perhaps" : undefined;
}

/** Whether a call that was just made waits, as far as that can be told before its answer. */
export function waitsBefore(step: Step, lentMs: number, rule: ToolRule): boolean {
  return Boolean(rule.poll) || step.isPaused || lentMs > 0 || sleeps(step);
}

/** The time that a step has spent by itself, and lends to the looks of the next round. */
export function sleptMs(step: Step, outcome: Outcome | undefined): number {
  if (isTimer(step, outcome)) return outcome!.at! - step.at!;
  if (!sleeps(step)) return 0;
  const { act, waitMs } = factsOf(step).reading;
  return act === "waits" && !step.facts.isCommand ? Math.max(waitMs, 1) : waitMs;
}

/** Whether there is patience left for one more look in vain. */
export function isPatient(waiting: Waiting, known: KnownOutcome, { state, step, rules }: Moment): boolean {
  const { patienceMs } = rules.progress;
  const { poll } = rules.rule;
  if (waiting === undefined) return false;
  if (typeof poll === "object") return known.waitedMs < poll.patienceMs;
  if (patienceMs === 0) return false;
  const times = timesAsPatient(intentOf(state.intent));
  if (waiting === "timed")
    return known.looks < LOOKS || known.waitedMs < patienceMs * times || known.lastPauseMs >= SCHEDULE_MS;
  if (step.at === undefined || known.at === undefined) return known.looks < UNTIMED_LOOKS * times;
  const waitedMs = known.waitedMs + Math.max(0, step.at - known.at);
  return known.looks < (waitedMs >= QUIET_MS * (known.looks + 1) ? QUIET_LOOKS : HASTY_LOOKS) * times;
}

/** Whoever was asked to wait may wait three times as long, and who says what for, twice. */
function timesAsPatient({ isWatching, isWaiting }: Intent): number {
  return isWatching ? 3 : isWaiting ? 2 : 1;
}

/** Adds a look in vain to what is known. */
export function noteWaiting(known: KnownOutcome, step: Step, lentMs: number): void {
  const passedMs = step.at !== undefined && known.at !== undefined ? Math.max(0, step.at - known.at) : NOMINAL_MS;
  const askedMs = step.facts.mayWait ? factsOf(step).reading.waitMs : 0;
  known.lastPauseMs = Math.max(step.at === undefined ? 0 : passedMs, askedMs, lentMs);
  known.waitedMs += Math.max(passedMs, askedMs, lentMs);
  known.looks++;
}

/** What is made again because something is under way, and not for its own sake. */
function mayFollow(moment: Moment): boolean {
  const { step } = moment;
  const brought = broughtIn(moment);
  const { act, bringsText, isOutside } = factsOf(step).reading;
  if (step.failure?.isFaultyCall === true || step.failure?.isClosedDoor === true) return false;
  if (act === "watches") return true;
  if (act === "looks") return brought !== "seen";
  if (brought === "seen") return false;
  // An act that fails has not been done; a program that nobody knows may be one that asks.
  if (act === "runs") return brought !== "failure" || isOutside;
  return act === "steps" && !bringsText && brought !== "failure";
}

/** Whether the run set something going right before it first asked, and has done nothing but ask since. */
function isRightAfterAct(known: KnownOutcome, { state, step }: Moment): boolean {
  known.isAfterAct ??= state.history.some(
    (earlier) => earlier.index < known.first && earlier.index >= known.first - RIGHT_BEFORE && isAct(earlier),
  );
  return known.isAfterAct && !hasActedSince(known, { state, step });
}

function hasActedSince({ index }: KnownOutcome, { state, step }: Pick<Moment, "state" | "step">): boolean {
  return state.history.some(
    (between) => between.index > index && between.index < step.index && isAct(between) && !between.hasSlept,
  );
}

/** Whether a step set something going that it did not show. */
function isAct(step: Step): boolean {
  if (step.failure !== undefined || step.isSynthetic) return false;
  const { isStarting, bringsText } = factsOf(step).reading;
  const act = factsOf(step).reading.act;
  if (isStarting || act === "runs") return true;
  // What brings no text of its own edits no file.
  const isElsewhere = act === "writes" && !step.facts.isCommand && !bringsText;
  return (act === "steps" || isElsewhere) && (step.facts.isCommand || step.length <= SHOWN);
}

function sleeps(step: Step): boolean {
  if (!step.facts.mayWait) return false;
  const { act, waitMs } = factsOf(step).reading;
  return act === "waits" || waitMs >= SHORTEST_WAIT_MS;
}

/** What fails did not wait: the number is a port, a limit, a part of a name. */
function isTimer({ at, numbers }: Step, outcome: Outcome | undefined): boolean {
  if (at === undefined || outcome?.at === undefined || outcome.failure !== undefined) return false;
  return tookAsLongAsTold(outcome.at - at, numbers);
}
