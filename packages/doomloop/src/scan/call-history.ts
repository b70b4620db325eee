import type { Reason } from "../core/finding.ts";
import type { Judged } from "../core/judged.ts";
import { type StepSigns, signsOf } from "./advice/cause.ts";

/** A call of the run as the guard judged it. */
interface JudgedCall {
  /** Equal for calls that ask for the same. */
  readonly key: number;
  readonly outcome: number;
  /** What the call added to the evidence, in plain repeats. */
  readonly added: number;
  /** Why the call added nothing. Undefined if it did, or is no repeat. */
  readonly reason: Reason | undefined;
  /** Counting begins with it. */
  readonly isFirst: boolean;
  /** It told the run something new, or may have changed something. */
  readonly isNews: boolean;
  readonly isChange: boolean;
  readonly signs: StepSigns;
}

/** The latest calls of a run as the guard judged them, by their place in the recording. */
export interface CallHistory {
  note(index: number, judged: Judged): void;
  /** The places of all calls that equal this one, from the first place to the last. */
  equalTo(key: number, first: number, last: number): readonly number[];
  /** The call at a place and those from `since` on that it repeats, without the repeats that added nothing. */
  repeatedBy(index: number, since: number): readonly number[];
  /** Whether the call is a repeat that added nothing. */
  isPassedOver(index: number): boolean;
  /** The places from one to another whose calls are not forgotten. At most the latest 400. */
  between(first: number, last: number): readonly number[];
  /** The call at a place. Undefined if it is forgotten. */
  at(index: number): JudgedCall | undefined;
  /**
   * Where a cycle that was seen at `first` began, at the earliest at `since`: it reaches back as long as each call equals
   * the one a period later.
   */
  beginningOf(first: number, period: number, since: number): number;
  /** Where a cycle that was seen at `last` ended, at the latest at `end`. */
  endOf(last: number, period: number, end: number): number;
}

const MAX_CALLS = 20_000;
const MAX_BETWEEN = 400;

export function createCallHistory(): CallHistory {
  const calls = new Map<number, JudgedCall>();
  const places = new Map<number, number[]>();

  const forgetOldest = (): void => {
    const [index, { key }] = calls.entries().next().value!;
    calls.delete(index);
    const equal = places.get(key)!;
    equal.shift();
    if (equal.length === 0) places.delete(key);
  };

  const isEqual = (one: number, other: number): boolean => {
    const [first, second] = [calls.get(one), calls.get(other)];
    return first !== undefined && first.key === second?.key && first.outcome === second.outcome;
  };

  const equalTo = (key: number, first: number, last: number): readonly number[] => {
    const equal = places.get(key) ?? [];
    return equal.slice(placeAfter(equal, first - 1), placeAfter(equal, last));
  };

  const isPassedOver = (index: number): boolean => {
    const judged = calls.get(index);
    return judged?.reason !== undefined && !judged.isFirst;
  };

  return {
    note(index, judged) {
      const { step, added, reason } = judged;
      const key = step.call;
      // A call is judged when it is made, if no result has come so far, and again with its result.
      const isKnown = calls.has(index);
      calls.set(index, {
        key,
        outcome: step.result,
        added,
        reason: added > 0 ? undefined : reason,
        isFirst: isFirst(judged),
        isNews: step.progress === "news",
        isChange: step.progress === "change",
        signs: signsOf(judged),
      });
      if (isKnown) return;
      const equal = places.get(key);
      if (equal === undefined) places.set(key, [index]);
      else equal.push(index);
      if (calls.size > MAX_CALLS) forgetOldest();
    },
    equalTo,
    repeatedBy(index, since) {
      const latest = calls.get(index);
      if (latest === undefined) return [];
      const equal = equalTo(latest.key, since, index).filter((at) => calls.get(at)!.outcome === latest.outcome);
      const first = equal.findLastIndex((at) => calls.get(at)!.isFirst);
      return equal.slice(Math.max(0, first)).filter((at) => !isPassedOver(at));
    },
    isPassedOver,
    between(first, last) {
      const from = Math.max(first, last - MAX_BETWEEN + 1);
      return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at).filter((at) => calls.has(at));
    },
    at: (index) => calls.get(index),
    beginningOf(first, period, since) {
      let at = first;
      while (at > since && isEqual(at - 1, at - 1 + period)) at--;
      return at;
    },
    endOf(last, period, end) {
      let at = last;
      while (at < end && isEqual(at + 1 - period, at + 1)) at++;
      return at;
    },
  };
}

function isFirst({ repeats, reason }: Judged): boolean {
  return repeats === 1 && reason !== "same-round";
}

/** How many of the ordered positions are not after `last`. */
function placeAfter(ordered: readonly number[], last: number): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle]! <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}
