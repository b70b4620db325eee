import { safely } from "../core/faults.ts";
import { type AgentEvent, DoomloopError } from "../index.ts";
import type { HostProbes } from "./host-options.ts";

/** Asks the host what only it can measure, and reports that to the guard. */
export interface Probes {
  beforeCall(): void;
  afterResult(): void;
  /** The run is read from a stored conversation, so compactions up to now are not new. */
  recall(): void;
}

export interface ProbeSettings {
  readonly options: HostProbes;
  readonly run?: string | undefined;
  readonly reportFault: (fault: unknown) => void;
}

const MAX_KEYS = 16;

/** Creates the probes of one run. A probe that throws or returns a promise is reported and otherwise ignored. */
export function createProbes(settings: ProbeSettings, observe: (event: AgentEvent) => void): Probes {
  const { options, run, reportFault } = settings;
  const { state, compactions } = options;
  let known = 0;
  let isMeasured = false;

  const measure = (): void => {
    isMeasured = true;
    const values = safely(() => state?.(run), reportFault);
    if (values === undefined) return;
    if (values === null || typeof values !== "object" || values instanceof Promise) {
      reportFault(new DoomloopError("invalid-option", `state: an object is required, got ${typeof values}`));
      return;
    }
    for (const [key, value] of Object.entries(values).slice(0, MAX_KEYS)) observe({ type: "state", key, value });
  };

  /** How many times the conversation was compacted since the last count. */
  const countNew = (): number => {
    const compacted = safely(() => compactions?.(run), reportFault);
    if (typeof compacted !== "number" || !(compacted > known)) return 0;
    const more = compacted - known;
    known = compacted;
    return more;
  };

  return {
    beforeCall() {
      if (compactions !== undefined && countNew() > 0) observe({ type: "compaction" });
      if (state !== undefined && !isMeasured) measure();
    },
    afterResult() {
      if (state !== undefined) measure();
    },
    recall() {
      if (compactions !== undefined) countNew();
    },
  };
}
