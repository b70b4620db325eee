import { setRecent } from "../../core/collections/bounded.ts";
import type { Decision } from "../../core/decision.ts";
import type { AgentEvent } from "../../core/event.ts";

/** Of so many runs that were ended, it is known that this was noted. */
const MAX_ENDED = 10_000;

/**
 * Says whether a decision on an event is worth a note. A stop is, once. Every further call of the run is answered with it, until the user
 * speaks or the loop is allowed.
 */
export function createNoteFilter(): (run: string, decision: Decision, event: Pick<AgentEvent, "type">) => boolean {
  const ended = new Map<string, "stop" | "would">();
  return (run, decision, { type }) => {
    const { action } = decision;
    const wouldStop = action === "continue" && decision.would === "stop";
    if (action !== "stop" && !wouldStop) {
      // In a run that is only watched, calls go on beside the loop.
      if (type === "user" || (type === "call" && ended.get(run) === "stop")) ended.delete(run);
      return true;
    }
    if (ended.has(run)) return false;
    setRecent(ended, run, wouldStop ? "would" : "stop", MAX_ENDED);
    return true;
  };
}
