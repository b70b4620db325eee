import { idOf } from "../hash.ts";
import { ONE_WORD } from "../numbers.ts";
import { indexesOf } from "../rows.ts";
import { isAct, isVain, type Step } from "../step.ts";
import { worthOf } from "../worth.ts";
import { type Detector, NOTHING } from "./detector.ts";

const CYCLE = 3;
const LONGEST_LAP = 12;
/** A step that repeats the one a lap before it, next to a step that repeats itself. */
const IN_TURN = 2 / 3;

/** The same few calls in turn, with the same results. */
export const cycle: Detector<"call-cycle"> = {
  kind: "call-cycle",
  look(step, { recent, world }) {
    if (step.times > 0) return NOTHING;
    const most = Math.min(LONGEST_LAP, recent.length);
    for (let period = 2; period <= most; period++) {
      const before = recent[recent.length - period]!;
      if (before.turn !== step.turn || step.waitedMs > 0) continue;
      const isExact = isSame(step, before);
      const repeats = isExact ? rowOf(recent, step, period, isSame) : alikeLaps(recent, step, period);
      if (repeats.length <= period || repeats.every(({ turn }) => turn === step.turn)) continue;
      let sum = 0;
      for (const each of repeats) if (isExact || !onlyActs(each)) sum += worthOf(each);
      const lap = repeats.slice(-period);
      const about = idOf(CYCLE, world.turn, world.changes, Math.min(...lap.map(({ turn }) => turn)));
      const count = Math.ceil(repeats.length / period) + 1;
      const isClear = isExact && repeats.every((each) => worthOf(each) === 1 && !isAct(each));
      return [{ about, evidence: 1 + IN_TURN * sum, count, steps: indexesOf(repeats), isClear, period }];
    }
    return NOTHING;
  },
  covers: (call, last) => call.turn === last.turn,
};

function isSame(one: Step, other: Step): boolean {
  return one.call === other.call && one.result === other.result;
}

function isAlike(one: Step, other: Step): boolean {
  return one.turn === other.turn && one.form === other.form;
}

/** The latest steps in a row that repeat the step one lap before them, `step` included. */
function rowOf(
  recent: readonly Step[],
  step: Step,
  period: number,
  holds: (one: Step, other: Step) => boolean,
): Step[] {
  const steps = [...recent, step];
  let at = steps.length - 1;
  while (at >= period && steps[at]!.waitedMs === 0 && holds(steps[at]!, steps[at - period]!)) at--;
  return steps.slice(at + 1);
}

/**
 * Laps that differ in numbers only, and in names that they have made: each comes to the same failure, or most of its results are equal to
 * the letter, two of three or two of four.
 */
function alikeLaps(recent: readonly Step[], step: Step, period: number): readonly Step[] {
  const alike = rowOf(recent, step, period, isAlike);
  if (alike.length <= period) return alike;
  const steps = [...recent, step];
  const from = steps.length - alike.length - period;
  const isEqual = (each: Step, at: number): boolean => each.result === steps[from + at]!.result;
  if (alike.some((each, at) => isVain(each) && (isEqual(each, at) || each.form === steps[from + at]!.form)))
    return alike;
  const calls = new Set(alike.map(({ turn }) => turn)).size;
  const counting = new Set(alike.filter((each, at) => !isEqual(each, at)).map(({ turn }) => turn)).size;
  return counting <= calls / (calls < 4 ? 3 : 2) ? alike : [];
}

/** What came of an act only a look shows. */
function onlyActs(step: Step): boolean {
  return isAct(step) && !isVain(step) && step.length <= ONE_WORD;
}
