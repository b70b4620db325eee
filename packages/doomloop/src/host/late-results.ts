import { addLatest, setRecent } from "../core/collections/bounded.ts";
import { readArguments } from "../core/identity/call-identity.ts";
import { numbersIn, tookAsLongAsTold } from "../core/judge/timers.ts";
import { readCall } from "../core/progress/read-call.ts";

/** When calls were made: for results that a host hears of only with its next request. */
export interface LateResults {
  noteCall(id: string, call: LateCall, at: number): void;
  /** The time of a result that is heard now, and came at any time since its call. */
  timeOf(id: string, now: number): number;
}

interface LateCall {
  readonly tool: string;
  readonly args?: unknown;
}

interface Made extends LateCall {
  readonly at: number;
}

const MAX_CALLS = 256;
const MAX_TOOLS = 64;
/** What is shorter is no pause, whoever took the time. */
const SHORTEST_PAUSE_MS = 5_000;

/**
 * Between a call and the next request lie the time that the call took and, in some loops, a sleep of the loop itself. It is the call's
 * own: slow tools are common, and loops that sleep are rare. Only a look, which takes no time by nature, is taken to have been quick, with a
 * pause behind it: unless another tool of the run has shown that the loop goes on at once. A look that was told how long to wait, and did,
 * waited by itself.
 *
 * @param savedAt when the process ended that made the calls which this one does not know
 */
export function createLateResults(savedAt?: number): LateResults {
  const calls = new Map<string, Made>();
  const quickTools: string[] = [];

  const isPauseBehind = ({ tool, args, at }: Made, now: number): boolean => {
    if (quickTools.some((other) => other !== tool)) return false;
    const read = readArguments(args);
    const { act } = readCall(tool, read).reading;
    return (act === "looks" || act === "watches") && !tookAsLongAsTold(now - at, numbersIn(read));
  };

  return {
    noteCall(id, { tool, args }, at) {
      setRecent(calls, id, { tool, args, at }, MAX_CALLS);
    },
    timeOf(id, now) {
      const made = calls.get(id);
      calls.delete(id);
      if (made === undefined) return Math.min(now, savedAt ?? now);
      if (now - made.at >= SHORTEST_PAUSE_MS) return isPauseBehind(made, now) ? made.at : now;
      addLatest(quickTools, made.tool, MAX_TOOLS);
      return now;
    },
  };
}
