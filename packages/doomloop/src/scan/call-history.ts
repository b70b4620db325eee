import type { Digest } from "../core/identity/digest.ts";
import type { Reason } from "../core/reason.ts";
import type { JudgedStep } from "../core/step.ts";
import { type StepSigns, signsOf } from "./advice/cause.ts";
import type { PassedReason } from "./report/report.ts";

/** A call of the run as the guard judged it. */
interface JudgedCall {
  readonly call: Digest;
  readonly outcome: Digest;
  /** Why the call did not count as a repeat. Undefined if it did. */
  readonly reason: PassedReason | undefined;
  readonly signs: StepSigns;
}

/** An equal call, and why it did not count. */
interface Occurrence {
  readonly index: number;
  readonly reason: PassedReason | undefined;
}

/** The latest calls of a run as the guard judged them, by their place in the recording. */
export interface CallHistory {
  note(index: number, judged: JudgedStep): void;
  /** All calls that equal this one, from the first place to the last. */
  equalTo(call: Digest, first: number, last: number): readonly Occurrence[];
  /** Why a call did not count as a repeat. Undefined if it did, or if it is forgotten. */
  reasonAt(index: number): PassedReason | undefined;
  signsAt(index: number): StepSigns | undefined;
  /** Which call was made there. Undefined if it is forgotten. */
  callAt(index: number): Digest | undefined;
  /** Where a cycle that was seen at `first` began: it reaches back as long as each call equals the one a period later. */
  beginningOf(first: number, period: number): number;
}

const MAX_CALLS = 20_000;

export function createCallHistory(): CallHistory {
  const calls = new Map<number, JudgedCall>();
  const places = new Map<Digest, number[]>();

  const forgetOldest = (): void => {
    const [index, { call }] = calls.entries().next().value!;
    calls.delete(index);
    const equal = places.get(call)!;
    equal.shift();
    if (equal.length === 0) places.delete(call);
  };

  const isEqual = (one: number, other: number): boolean => {
    const [first, second] = [calls.get(one), calls.get(other)];
    return first !== undefined && first.call === second?.call && first.outcome === second.outcome;
  };

  return {
    note(index, judged) {
      const { step, exact } = judged;
      const { call, outcome } = step;
      // A call is judged when it is made, if no result has come so far, and again with its result.
      const isKnown = calls.has(index);
      calls.set(index, {
        call,
        outcome,
        reason: exact.reason && reasonFor(exact.reason, step),
        signs: signsOf(judged),
      });
      if (isKnown) return;
      const equal = places.get(call);
      if (equal === undefined) places.set(call, [index]);
      else equal.push(index);
      if (calls.size > MAX_CALLS) forgetOldest();
    },
    equalTo(call, first, last) {
      const equal = (places.get(call) ?? []).filter((index) => index >= first && index <= last);
      return equal.map((index) => ({ index, reason: calls.get(index)!.reason }));
    },
    reasonAt: (index) => calls.get(index)?.reason,
    signsAt: (index) => calls.get(index)?.signs,
    callAt: (index) => calls.get(index)?.call,
    beginningOf(first, period) {
      let at = first;
      while (isEqual(at - 1, at - 1 + period)) at--;
      return at;
    },
  };
}

/** Nobody waits for a file that is read: what the guard saw is the pause before the call. */
function reasonFor(reason: Reason, { facts }: JudgedStep["step"]): PassedReason {
  return reason === "waiting" && facts.reading.isFileRead ? "pause" : reason;
}
