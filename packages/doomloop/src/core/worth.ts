import { MOST_CHECKS, ONE_VALUE, ONE_WORD, PENDING, SCHEDULE_MS, SHORT, SILENT_ACT, SILENT_WATCH } from "./numbers.ts";
import { isAct, isOwn, isVain, type Step } from "./step.ts";

/** Looks at one's own work with a short pause before each. */
const MOST_OWN_CHECKS = 9;
const SLOW_MS = 30_000;

/** What a repeat of this step adds: 1 if its result would have looked different had anything happened. */
export function worthOf(step: Step): number {
  return (isPlain(step) ? 1 : step.trust) * plainWorth(step);
}

/** Whether neither time nor anybody else changes what it comes to: such a repeat hears no request. */
function isPlain({ effect, outcome, failure }: Step): boolean {
  if (effect === "look" || effect === "write" || outcome === "over") return true;
  return outcome === "failed" && (effect === "test" || failure?.isFinal === true || failure?.isOfTool === true);
}

/** What is left of it for the given check of something that takes its time. */
export function worthOfCheck(step: Step, checks: number, sumMs: number): number {
  if (isPatient(step, checks, sumMs)) return 0;
  return step.waitedMs > 0 && step.outcome === "pending" ? step.trust : worthOf(step);
}

function plainWorth(step: Step): number {
  const { effect, outcome, length, failure } = step;
  if (isVain(step)) {
    if (failure?.isOfTool) return 1;
    if (failure?.isTransient && !isOwn(step)) return PENDING;
    return effect === "watch" && failure?.isFinal !== true ? 0.5 : 1;
  }
  if (outcome === "pending" && step.patienceMs > 0) return isOwn(step) ? 1 : PENDING;
  if (outcome === "over" && !isAct(step)) return 1;
  if (isAct(step)) return length <= SHORT || outcome === "done" ? SILENT_ACT : 1;
  if (effect !== "watch") return 1;
  if (outcome === "empty" || outcome === "done" || length <= ONE_WORD) return SILENT_WATCH;
  return length <= SHORT ? ONE_VALUE : 1;
}

/** Whether an agent may still wait: with pauses, for some checks or as long as patience lasts, and on a schedule for ever. */
function isPatient(step: Step, checks: number, sumMs: number): boolean {
  const { waitedMs, patienceMs, effect, outcome, failure } = step;
  if (waitedMs === 0 || patienceMs === 0 || outcome === "over") return false;
  if (failure?.isFinal === true && effect !== "test") return false;
  // What only the run changes is no poll, unless the agent takes its time.
  if (checks > MOST_OWN_CHECKS && isOwn(step) && waitedMs < SLOW_MS) return false;
  return checks <= MOST_CHECKS || sumMs < patienceMs || waitedMs >= SCHEDULE_MS;
}
