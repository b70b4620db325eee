import type { AgentEvent } from "../../core/event.ts";
import { recordOf } from "../foreign-value.ts";

/** One run of a trace. The content is foreign: any event may be anything. */
export interface TraceRun {
  readonly run: string;
  /** The agent that made the run. */
  readonly agent?: string;
  readonly model?: string;
  readonly task?: string;
  readonly outcome?: string;
  /** The guard's options, in a trace that was made to reproduce its decisions. */
  readonly options?: unknown;
  readonly events: readonly AgentEvent[];
}

/** Whether a parsed line is a run. */
export function isRun(value: unknown): value is TraceRun {
  const { run, events } = recordOf(value) ?? {};
  return typeof run === "string" && Array.isArray(events);
}
