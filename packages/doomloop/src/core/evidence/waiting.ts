import type { RunState, Topic } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { saysItGoesOn, saysItIsOver } from "../outcome/answer-says.ts";
import {
  ASKED_FOR,
  HASTY,
  LONG_CALL_MS,
  MOST_TIMED,
  QUIET,
  QUIET_MS,
  SCHEDULE_MS,
  SHORTEST_WAIT_MS,
  UNCLEAR,
  VALUE_LENGTH,
} from "./numbers.ts";
import { askedOf, isOwnWork, OWN_LOOKS } from "./request.ts";

/** What one check counts for where nobody says how long it took. */
const NOMINAL_MS = 10_000;
/** What changes only if the agent changes it is no poll: pauses between looks at it excuse only so many. */
const TIMED_LOOKS = 9;
const ACT_SHOWN = 60;

/** Whether an outcome is final, so that there is nothing to wait for. */
export function isOver({ failure }: Step, text: string): boolean {
  return saysItIsOver(text) && !(failure !== undefined && (failure.isTold || failure.isBusy));
}

/** What waiting leaves of a repeat's worth, from 0 to 1: an agent that pauses has patience, one that only looks again has less. */
export function leftByWaiting(run: RunState, step: Step, topic: Topic, text: string): number {
  if (step.patienceMs === 0 || (isOver(step, text) && !step.isPoll)) return 1;
  const hasWaited = waitsItself(run, step);
  const isTimed = hasWaited || step.isPaused;
  if (!isTimed && !saysItMayChange(step, text, topic) && !follows(run, step, topic)) return 1;
  const passedMs = timeSince(run, step, topic);
  const times = askedOf(run, step).isSeries ? 1 / ASKED_FOR : 1;
  topic.looks++;
  topic.waitedMs += passedMs;
  if (!isTimed && topic.looks > MOST_TIMED * times) return UNCLEAR;
  if (!isTimed) return (topic.waitedMs >= QUIET_MS * topic.looks ? QUIET : HASTY) / times;
  if (topic.looks > TIMED_LOOKS && (isFailingTest(step) || (step.effect === "look" && !hasWaited))) return 1;
  return topic.looks <= MOST_TIMED * times || topic.waitedMs < step.patienceMs * times || passedMs >= SCHEDULE_MS
    ? 0
    : 1;
}

function isFailingTest(step: Step): boolean {
  return step.effect === "test" && isFailing(step) && !step.failure?.isBusy;
}

/** Whether a call says that it waits, comes after one that does, or takes its time. Otherwise a pause may be a long thought. */
function waitsItself(run: RunState, step: Step): boolean {
  return (
    step.waitMs >= SHORTEST_WAIT_MS ||
    (step.effect === "wait" &&
      (step.failure === undefined || step.failure.isBusy) &&
      lengthOfWait(step) >= SHORTEST_WAIT_MS) ||
    step.isPoll ||
    run.sleptIn >= step.round - 1 ||
    hasTaken(step)
  );
}

/** A call that takes its time has waited itself. */
function hasTaken({ effect, tookMs, failure, isNo }: Step): boolean {
  return tookMs >= LONG_CALL_MS && failure === undefined && !isNo && (effect === "watch" || effect === "act");
}

function saysItMayChange({ failure, effect }: Step, text: string, { looks }: Topic): boolean {
  // Whatever its words say, only the run itself changes its own files.
  if (isOwnWork(effect) && looks >= OWN_LOOKS) return false;
  return failure === undefined ? effect !== "write" && saysItGoesOn(text) : failure.isBusy && effect !== "test";
}

/** A look right after an act, to see what came of it. */
function follows(run: RunState, { index, effect, failure, isNo, length }: Step, topic: Topic): boolean {
  if (!topic.isAfterAct || failure?.isFinal === true || (run.actedAt > topic.index && run.actedAt < index))
    return false;
  if (effect === "watch") return true;
  const isShort = length <= VALUE_LENGTH || failure !== undefined || isNo;
  return isShort && (effect === "look" || (effect === "act" && failure === undefined));
}

function timeSince(run: RunState, { at, waitMs, round }: Step, topic: Topic): number {
  const passed = at !== undefined && topic.at !== undefined ? at - topic.at : NOMINAL_MS;
  return Math.max(passed, waitMs, run.sleptIn >= round - 1 ? run.sleptMs : 0);
}

/** Whether a step was a sleep, so that what follows comes after a wait. One that fails has not slept. */
export function hasSlept(step: Step): boolean {
  const { effect, waitMs, failure } = step;
  if (failure !== undefined && !failure.isBusy) return false;
  return waitMs >= SHORTEST_WAIT_MS || (effect === "wait" && waitMs > 0 && lengthOfWait(step) >= SHORTEST_WAIT_MS);
}

/** How long a wait is: as it says, or as long as it took, or as long as such a wait usually is. */
function lengthOfWait({ waitMs, at, tookMs }: Step): number {
  if (waitMs > 1) return waitMs;
  return at === undefined ? NOMINAL_MS : tookMs;
}

/** Whether a step has done something of which a look may show the effect. */
export function isAct({ failure, isNo, effect, brings, isCommand, length }: Step): boolean {
  if (failure !== undefined || isNo) return false;
  return (
    (effect === "act" || effect === "move" || (effect === "write" && !brings)) && (isCommand || length <= ACT_SHOWN)
  );
}
