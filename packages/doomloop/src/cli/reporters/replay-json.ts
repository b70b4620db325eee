import type { Replay } from "../../scan/replay/replay-run.ts";

/** Raised when a field changes its meaning or goes away; new fields may come without it. */
const SCHEMA_VERSION = 1;

/** A run as one line of JSON, for programs. Calls are counted from 0. */
export function replayJson(run: string, { calls, decisions }: Replay): string {
  const shown = decisions.map(({ call, action, kind, confidence }) => ({ call, action, kind, confidence }));
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, run, calls, decisions: shown })}\n`;
}
