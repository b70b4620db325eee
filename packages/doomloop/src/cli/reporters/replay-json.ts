import type { ReplayReporter } from "./reporter.ts";

/** Raised when a field changes its meaning or goes away; new fields may come without it. */
const SCHEMA_VERSION = 1;

/** One JSON object a run, for programs. */
export function replayJson(): ReplayReporter {
  return {
    add(run, { calls, decisions }) {
      const shown = decisions.map(({ call, action, kind, confidence }) => ({ call, action, kind, confidence }));
      return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, run, calls, decisions: shown })}\n`;
    },
    end: () => "",
  };
}
