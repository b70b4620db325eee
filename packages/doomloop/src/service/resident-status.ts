import { askResident } from "../agents/hook-client/ask-resident.ts";

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
}

/** Asks the resident of a state folder how it is. Undefined if there is none. */
export async function residentStatus(state: string): Promise<ResidentStatus | undefined> {
  return readStatus(await askResident({ state, method: "GET", path: "/status", timeoutMs: 1_000 }));
}

/** Ends the resident of a state folder. Returns what it said about itself, or undefined if there is none. */
export async function stopResident(state: string): Promise<ResidentStatus | undefined> {
  const status = readStatus(await askResident({ state, path: "/stop", timeoutMs: 1_000 }));
  const end = performance.now() + STOP_MS;
  while (status !== undefined && performance.now() < end && (await residentStatus(state)) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return status;
}

function readStatus(text: string | undefined): ResidentStatus | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as ResidentStatus);
  } catch {
    return undefined;
  }
}
