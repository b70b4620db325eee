import type { CallHistory } from "./call-history.ts";
import type { OpenLoop } from "./loop-collector.ts";
import { after, sizeOf } from "./report/spans.ts";

/** How a run went on, as far as it was recorded. */
export interface Hindsight {
  readonly history: Pick<CallHistory, "at" | "equalTo">;
  /** The number of all calls. */
  readonly calls: number;
  /** The number of calls before the latest answer in words. */
  readonly answeredAt: number;
  /** The first call after words of the user that came after a call. Infinite if the user said nothing more. */
  spokenAfter(call: number): number;
}

/** Within this many calls after a loop, something new shows that the agent went on by itself. */
const SOON = 8;
/** With this much evidence, calls that are not equal are a loop, however the run went on. */
const CLEAR = 5;
/** With this much evidence, a guard refuses calls: it is a loop, although the agent reached its goal later. */
const REFUSED = 10;
/** These kinds compare calls that differ. */
const INEXACT: ReadonlySet<string> = new Set([
  "same-outcome",
  "stalled",
  "similar-call",
  "failure-streak",
  "test-fix",
] satisfies OpenLoop["kind"][]);

/**
 * Whether a loop is only a possible one. A guard can't know how a run goes on, and a scan does. The evidence is weak if
 *
 * - the call that repeats came to something at last, without a change: the agent had to wait. For a check that failed in
 *   spite of changes: it passed at last;
 * - the agent left the loop by itself, at the guard's first word or one round later, and went on with something new;
 * - the agent left the loop by itself before a guard would have refused a call, changed something, and a check passed;
 * - the calls differ, there is little evidence, and the agent went on with something new.
 */
export function isPossibleLoop(loop: OpenLoop, run: Hindsight): boolean {
  if (paysOff(loop, run)) return true;
  if (loop.weight < REFUSED && reachesGoal(loop, run)) return true;
  if (!goesOn(loop, run)) return false;
  return roundsAfterFirstWord(loop) <= 1 || (INEXACT.has(loop.kind) && loop.weight < CLEAR);
}

/** How often the agent went on after the guard's first word. */
function roundsAfterFirstWord({ named, period, spokeAt, spokeAfter, lastAnswer }: OpenLoop): number {
  if (named.length === 0) return lastAnswer - spokeAfter;
  return sizeOf(after(named, spokeAt)) / (period ?? 1);
}

/** Whether the run brought something new soon after the loop, or ended with an answer in words. */
function goesOn({ end }: OpenLoop, { history, calls, answeredAt }: Hindsight): boolean {
  if (end >= calls - 1) return answeredAt > end;
  for (let index = end + 1; index <= end + SOON; index++) {
    const step = history.at(index);
    if (step !== undefined && !step.signs.isFailing && (step.isNews || step.isChange)) return true;
  }
  return false;
}

/** Whether the run changed something soon after the loop, and then a check passed, before the user spoke. */
function reachesGoal({ end, named }: OpenLoop, { history, spokenAfter }: Hindsight): boolean {
  if (named.length === 0) return false;
  const last = Math.min(end + SOON, spokenAfter(end) - 1);
  let isChanged = false;
  for (let index = end + 1; index <= last; index++) {
    const step = history.at(index);
    if (step === undefined || step.signs.isFailing) continue;
    if (isChanged && step.signs.effect === "test") return true;
    isChanged ||= step.isChange;
  }
  return false;
}

/**
 * The kind of a loop, as the whole of it shows: if a check failed in spite of edits, that is what happened, whatever the
 * guard saw first.
 */
export function kindInHindsight({ kind, cause }: OpenLoop): OpenLoop["kind"] {
  return kind === "repeated-call" && cause === "fix-without-effect" ? "test-fix" : kind;
}

/** Whether the next call that equals the loop's last one came to something else than before, and did not fail. */
function paysOff({ kind, end }: OpenLoop, { history, calls }: Hindsight): boolean {
  const last = history.at(end);
  if (last === undefined || (kind !== "repeated-call" && kind !== "call-cycle" && kind !== "test-fix")) return false;
  const next = history.equalTo(last.key, end + 1, calls)[0];
  const { signs, outcome } = (next === undefined ? undefined : history.at(next)) ?? last;
  if (outcome === last.outcome || signs.isFailing || signs.isNothing || signs.isNo) return false;
  return kind === "test-fix" || !isChangedBetween(history, end, next!);
}

/** Whether something was changed between two calls. After many calls, something else has changed. */
function isChangedBetween(history: Hindsight["history"], first: number, last: number): boolean {
  if (last - first > SOON) return true;
  for (let index = first + 1; index < last; index++) if (history.at(index)?.isChange === true) return true;
  return false;
}
