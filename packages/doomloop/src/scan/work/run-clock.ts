import type { AgentEvent } from "../../core/event.ts";
import type { WorkTime } from "../report/work.ts";

/** Shares out the time of a run: between tools, the model, and pauses. */
export interface RunClock {
  /**
   * Takes the time since the event before. Returns the milliseconds that a result took, or 0. `isPerson`: the result is
   * a person's answer.
   */
  note(type: AgentEvent["type"], at: number | undefined, isPerson?: boolean): number;
  /** What was counted since the last time. Null if no event followed one with a time. */
  take(): WorkTime | null;
}

/** Longer than any call and any answer should take: the machine slept, or nobody was there to allow a call. */
export const PAUSE_MS = 3_600_000;

/**
 * Creates the clock of a run. The time between two events belongs to the later one, so that the parts add up to the
 * whole.
 *
 * If events without a time lie in between, it counts only where its owner is known: what holds words of the user is a
 * pause, and what holds a result belongs to nobody.
 */
export function createRunClock(): RunClock {
  let [toolsMs, modelMs, pausesMs] = [0, 0, 0];
  let last: number | undefined;
  let isTimed = false;
  let hasUser = false;
  let hasResult = false;

  return {
    note(type, at, isPerson = false) {
      if (at === undefined) {
        hasUser ||= isPerson || type === "user";
        hasResult ||= type === "result";
        return 0;
      }
      const spent = last === undefined ? 0 : at - last;
      const [isUser, isUnclear] = [hasUser || isPerson || type === "user", hasResult];
      isTimed ||= last !== undefined;
      last = last === undefined ? at : Math.max(last, at);
      [hasUser, hasResult] = [false, false];
      if (spent <= 0) return 0;
      if (isUser || spent > PAUSE_MS) pausesMs += spent;
      else if (isUnclear) return 0;
      else if (type === "result") {
        toolsMs += spent;
        return spent;
      } else modelMs += spent;
      return 0;
    },
    take() {
      const time = isTimed ? { toolsMs, modelMs, pausesMs } : null;
      [toolsMs, modelMs, pausesMs, isTimed] = [0, 0, 0, false];
      return time;
    },
  };
}
