import type { Step } from "../core/step.ts";
import type { RepeatedCall } from "./report/report.ts";

interface Repeated {
  readonly what: string;
  times: number;
  readonly reasons: Map<string, number>;
}

const MAX_CALLS = 500;
const MAX_LISTED = 3;
/** A call that was made twice is nothing to talk about. */
const LEAST_TIMES = 3;

/** What a run repeats for good reasons, apart from loops. */
export type RepeatWatch = ReturnType<typeof createRepeatWatch>;

export function createRepeatWatch() {
  const repeated = new Map<number, Repeated>();
  return {
    /** `reason`: why the call added nothing. `label` describes the call. It is called rarely. */
    note(step: Step, reason: string | undefined, label: () => string | undefined): void {
      if (step.isNewCall) return;
      const known = repeated.get(step.call);
      if (known === undefined && repeated.size >= MAX_CALLS) return;
      const entry = known ?? { what: label() ?? "", times: 1, reasons: new Map<string, number>() };
      repeated.set(step.call, entry);
      entry.times++;
      if (reason !== undefined) entry.reasons.set(reason, (entry.reasons.get(reason) ?? 0) + 1);
    },
    /** Ends the run. `isInLoop` says whether a call belongs to a loop. */
    finish(isInLoop: (key: number) => boolean): readonly Omit<RepeatedCall, "session">[] {
      const others = [...repeated].filter(
        ([key, { what, times }]) => what !== "" && times >= LEAST_TIMES && !isInLoop(key),
      );
      return mostRepeated(
        others.map(([, { what, times, reasons }]) => {
          const [[reason] = [null]] = [...reasons].sort((one, other) => other[1] - one[1]);
          return { what, times, reason };
        }),
      );
    },
  };
}

/** The calls that were repeated most often, of one run or of all. */
export function mostRepeated<Call extends { readonly times: number }>(calls: readonly Call[]): readonly Call[] {
  return calls.toSorted((one, other) => other.times - one.times).slice(0, MAX_LISTED);
}
