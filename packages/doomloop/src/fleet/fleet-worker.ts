import { DoomloopError } from "../core/doomloop-error.ts";
import { type Digest, digestOfAll } from "../core/identity/digest.ts";
import type { FleetWorker } from "./fleet.ts";

const MAX_NAME = 256;

/** Whether a foreign value can name a worker. */
export function isWorkerName(name: unknown): name is string {
  return typeof name === "string" && name.length > 0 && name.length <= MAX_NAME;
}

/** The worker and run of one who joins; throws a `DoomloopError` for names that are none. */
export function resolveFleetWorker({ worker, run = "" }: FleetWorker): Required<FleetWorker> {
  if (!isWorkerName(worker)) {
    throw new DoomloopError(
      "invalid-option",
      `join: worker: a name of 1 to ${MAX_NAME} characters is required, got ${lengthOf(worker)}`,
    );
  }
  if (typeof run !== "string") {
    throw new DoomloopError("invalid-option", `join: run: a string is required, got ${String(run)}`);
  }
  return { worker, run };
}

/** Tells one report from all others of the fleet, in nine characters however long the names are. */
export function reportIdentity({ worker, run }: Required<FleetWorker>, id: string): Digest {
  return digestOfAll(worker, run, id);
}

function lengthOf(value: unknown): string {
  return typeof value === "string" ? `${value.length} characters` : String(value);
}
