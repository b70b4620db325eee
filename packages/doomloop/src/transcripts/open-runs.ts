import type { TranscriptSink } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";

/** The runs of a file that are not over yet. */
export interface OpenRuns {
  /** The run with this name, begun if it is not open. */
  get(run: string): RunEvents;
  has(run: string): boolean;
  endAll(): void;
}

/** More runs at once are given up, the oldest first: what comes of them later is a run of its own. */
const MAX_OPEN = 256;

export function createOpenRuns(sink: TranscriptSink): OpenRuns {
  const open = new Map<string, RunEvents>();
  let latestName: string | undefined;
  let latest: RunEvents | undefined;
  return {
    get(run) {
      if (latest !== undefined && run === latestName) return latest;
      let found = open.get(run);
      if (found === undefined) {
        found = createRunEvents(run, sink);
        open.set(run, found);
        if (open.size > MAX_OPEN) giveUpOldest(open);
      }
      latestName = run;
      latest = found;
      return found;
    },
    // Nearly always the run of the record before, whose name is compared faster than it is looked up.
    has: (run) => (latest !== undefined && run === latestName) || open.has(run),
    endAll() {
      for (const run of open.values()) run.end();
      open.clear();
      latest = undefined;
    },
  };
}

function giveUpOldest(open: Map<string, RunEvents>): void {
  for (const [name, run] of open) {
    run.end();
    open.delete(name);
    return;
  }
}
