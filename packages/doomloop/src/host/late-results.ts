import { setRecent } from "../core/collections/bounded.ts";
import { numbersIn, tookAsLongAsTold } from "../core/judge/timers.ts";

/** When calls were made: for results that a host hears of only with its next request. */
export interface LateResults {
  noteCall(id: string, args: unknown, at: number): void;
  /** The time of a result that is heard now, and came at any time since its call. */
  timeOf(id: string, now: number): number | undefined;
}

interface Made {
  readonly at: number;
  readonly numbers: readonly number[];
}

const MAX_CALLS = 256;

/**
 * A pause behind the result must not look like the call's own time, so the call is taken to have lasted no time at all: then the guard
 * sees the pause before the next call. A call that was told how long to wait, and did, is the one that waited.
 */
export function createLateResults(): LateResults {
  const calls = new Map<string, Made>();
  return {
    noteCall(id, args, at) {
      setRecent(calls, id, { at, numbers: numbersIn(args) }, MAX_CALLS);
    },
    timeOf(id, now) {
      const made = calls.get(id);
      calls.delete(id);
      if (made === undefined) return undefined;
      return tookAsLongAsTold(now - made.at, made.numbers) ? now : made.at;
    },
  };
}
