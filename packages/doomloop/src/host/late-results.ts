import { addLatest, setRecent } from "../core/collections/bounded.ts";
import { hintOf } from "../core/hints/calls.ts";

/** Estimates when results arrived, for hosts that see them only with their next request. */
export interface LateResults {
  noteCall(id: string, call: LateCall, at: number): void;
  /** The estimated time of a result that is reported now and arrived some time after its call. */
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
/** A shorter gap is not a pause, whether the tool or the program took the time. */
const SHORTEST_PAUSE_MS = 5_000;

/**
 * The time between a call and the next request is the time that the tool took, plus any pause that the program made afterwards. We count it as
 * the tool's: slow tools are common, and programs that pause are rare. The exception is a call that only looks, because looking takes
 * no time: we take it as quick, followed by a pause, unless another tool of the run has shown that the program continues at once.
 *
 * @param savedAt when the previous process ended, for calls that only that process knows
 */
export function createLateResults(savedAt?: number): LateResults {
  const calls = new Map<string, Made>();
  const quickTools: string[] = [];

  const isFollowedByPause = ({ tool, args }: Made): boolean => {
    if (quickTools.some((other) => other !== tool)) return false;
    const { effect } = hintOf(tool, args);
    return effect === "look" || effect === "watch";
  };

  return {
    noteCall(id, { tool, args }, at) {
      setRecent(calls, id, { tool, args, at }, MAX_CALLS);
    },
    timeOf(id, now) {
      const made = calls.get(id);
      calls.delete(id);
      if (made === undefined) return Math.min(now, savedAt ?? now);
      if (now - made.at >= SHORTEST_PAUSE_MS) return isFollowedByPause(made) ? made.at : now;
      addLatest(quickTools, made.tool, MAX_TOOLS);
      return now;
    },
  };
}
