import type { AgentEvents } from "../agents/hook/agent-events.ts";
import { askResident } from "../agents/hook-client/ask-resident.ts";
import { jsonIn } from "../transcripts/foreign-value.ts";

const STOP_MS = 3_000;

/** What a resident says about itself. */
export interface ResidentStatus {
  readonly version: string;
  readonly pid: number;
  readonly begunAt: number;
  /** Events since it began. */
  readonly events: number;
  /** Runs in memory. */
  readonly sessions: number;
  /** Events that did not arrive as a whole, since it began. */
  readonly missed: number;
  /** What it has not saved yet about the events of agents. An older version does not say. */
  readonly unsaved?: AgentEvents;
}

/** Asks the resident of a state folder how it is. Undefined if there is none, or none that answers. */
export async function residentStatus(state: string, timeoutMs = 1_000): Promise<ResidentStatus | undefined> {
  return jsonIn(await askResident({ state, method: "GET", path: "/status", timeoutMs })) as ResidentStatus | undefined;
}

/** Ends the resident of a state folder. Returns what it said about itself; undefined if there is none, or none that answers. */
export async function stopResident(state: string): Promise<ResidentStatus | undefined> {
  const status = jsonIn(await askResident({ state, path: "/stop", timeoutMs: 1_000 })) as ResidentStatus | undefined;
  const end = performance.now() + STOP_MS;
  while (status !== undefined && performance.now() < end && (await residentStatus(state)) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return status;
}
