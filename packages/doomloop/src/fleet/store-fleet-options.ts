import { hash } from "node:crypto";
import { hostname } from "node:os";
import { requireInteger } from "../core/doomloop-error.ts";
import type { FleetMode } from "../core/fleet-view.ts";
import { type FleetGlobalFinding, type FleetOptions, isWorkerName, requireThat, resolveFleetOptions } from "./fleet.ts";
import { MAX_COUNTED, type OpenFleetStore } from "./store.ts";

/** The options of a fleet over any store. */
export interface StoreFleetOptions extends FleetOptions {
  /** Opens the store that keeps the counts. */
  readonly store: OpenFleetStore;
  /** The secret with which fingerprints are hashed: at least 16 bytes, and the same in all workers. */
  readonly key: string | Uint8Array;
  /**
   * Separates swarms that share a server: at most 64 letters, digits, `_`, `.` and `-`.
   * @default "default"
   */
  readonly tenant?: string;
  /**
   * The name under which other processes see this one. All its workers together count as one witness, whatever their names are.
   * 1 to 256 characters.
   * @default the host name and the process id
   */
  readonly witness?: string;
  /**
   * How far the guards of this process may act. A function is called at every event of a run, so it must return at once: pass your own
   * feature flag, such as `() => process.env.DOOMLOOP_FLEET_MODE`. What it returns besides the modes is ignored.
   * @default "on"
   */
  readonly mode?: FleetMode | (() => unknown);
  /**
   * The longest time between two looks at the list of suspects, while runs of this process make calls that other processes may make, too.
   * @default 3000
   */
  readonly heartbeatMs?: number;
  /**
   * How long a reply may take. After two late replies in a row, the store counts as away.
   * @default 1000
   */
  readonly deadlineMs?: number;
  /** Counts what this fleet does: `telemetry.observeFleet()` returns one. Errors that it throws are ignored. */
  readonly observer?: StoreFleetObserver;
  /** Called once for each dead end within a window, in one process of the whole fleet at most. */
  readonly onFinding?: (finding: FleetGlobalFinding) => unknown;
  /**
   * Called with an `Error` when the store stops answering, and once if it answers, but refuses some of what it is asked.
   * @default a warning on standard error, once in a process
   */
  readonly onFault?: (fault: unknown) => unknown;
}

/** What came of a batch of reports. `timeout`: the answer was late, and the store may have it · `dropped`: it waited for too long. */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/** `degraded`: the store does not answer, or refuses, and each process sees only itself · `ended`: the fleet was closed. */
export type FleetState = "connected" | "degraded" | "ended";

/** Receives what a fleet does. A structural type, so that a fleet does not depend on telemetry. */
export interface StoreFleetObserver {
  onFlush(flush: { readonly durationMs: number; readonly reports: number; readonly outcome: FlushOutcome }): unknown;
  onState(state: FleetState): unknown;
}

export type ResolvedStoreOptions = ReturnType<typeof resolveStoreOptions>;

const MIN_KEY_BYTES = 16;
/** An hour. A timer with a delay of more than 24 days fires immediately, again and again. */
const MAX_HEARTBEAT_MS = 3_600_000;

/** Fills in the defaults; throws a `DoomloopError` for an invalid option. */
export function resolveStoreOptions(options: Omit<StoreFleetOptions, "store">) {
  const { key, tenant = "default", witness = `${hostname()} ${process.pid}`, mode = "on" } = options;
  const { heartbeatMs = 3000, deadlineMs = 1000 } = options;
  const { calls, workers, windowMs, countAll } = resolveFleetOptions(options);
  requireInteger("fleet: calls", calls, 2, MAX_COUNTED);
  requireInteger("fleet: heartbeatMs", heartbeatMs, 100, MAX_HEARTBEAT_MS);
  requireInteger("fleet: deadlineMs", deadlineMs, 1, 60_000);
  requireThat("fleet: mode", "on, shadow, off or a function", isMode(mode), mode);
  requireThat("fleet: tenant", "1 to 64 of a-z, A-Z, 0-9, _, . and -", /^[\w.-]{1,64}$/.test(tenant), tenant);
  requireThat("fleet: witness", "1 to 256 characters", isWorkerName(witness), witness);
  // The error must not contain the key.
  const keyBytes = typeof key === "string" || key instanceof Uint8Array ? Buffer.byteLength(key) : 0;
  requireThat("fleet: key", `at least ${MIN_KEY_BYTES} bytes`, keyBytes >= MIN_KEY_BYTES, `${keyBytes} bytes`);
  const counting = { key, tenant, witness, process: shortHash(witness), calls, workers, windowMs, countAll };
  return { ...counting, mode, heartbeatMs, deadlineMs };
}

function isMode(mode: unknown): boolean {
  return mode === "on" || mode === "shadow" || mode === "off" || typeof mode === "function";
}

/** A hash of 64 bits for a call or a process. If two collide, they count as one: too little, never too much. */
export function shortHash(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").subarray(0, 8).toString("base64url");
}
