import type { AgentEvent } from "../../core/event.ts";

/** One run of a trace. What stands in it was written by someone else: any event may be anything. */
export interface TraceRun {
  readonly run: string;
  readonly model?: string;
  readonly task?: string;
  readonly outcome?: string;
  /** What a guard was told that judged the run, in a trace that was made to show what it decided. */
  readonly options?: unknown;
  readonly events: readonly AgentEvent[];
}

/** Reads one line of a trace; undefined if it is no run. */
export function parseRun(line: string): TraceRun | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isRun(value) ? value : undefined;
}

/** Whether a parsed line is a run. */
export function isRun(value: unknown): value is TraceRun {
  if (typeof value !== "object" || value === null) return false;
  const { run, events } = value as { run?: unknown; events?: unknown };
  return typeof run === "string" && Array.isArray(events);
}
