import { hostname } from "node:os";
import { DoomloopError, requireInteger } from "../../core/doomloop-error.ts";
import type { FleetMode } from "../../core/fleet-view.ts";
import type { ClearedCall } from "../cleared-calls.ts";
import { type FleetGlobalFinding, type FleetOptions, isWorkerName, resolveFleetOptions } from "../fleet.ts";
import { MAX_COUNTED, type OpenFleetStore } from "../store.ts";

/** Which runs may be stopped while the store is away. */
type StopsWhenAway = "process" | "none" | "alone";

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
   * A mode that applies in addition to the store's switch; the quieter of the two wins. A function is called at every heartbeat. Use it
   * for a setting that must hold even if the store is away, such as `process.env.DOOMLOOP_FLEET_MODE` or a file on the host.
   * @default "on"
   */
  readonly mode?: FleetMode | (() => FleetMode);
  /**
   * How often the fleet asks the store for the switch and for other processes' dead ends, give or take a fifth.
   * @default 5000
   */
  readonly heartbeatMs?: number;
  /**
   * How long a dead end must have lasted before workers are told. In this time, any process that has seen the call work can object.
   * @default 1.25 times heartbeatMs
   */
  readonly confirmMs?: number;
  /**
   * How long a reply may take. After two late replies in a row, the store counts as away.
   * @default 1000
   */
  readonly deadlineMs?: number;
  /**
   * The share of the fleet's active runs that may be stopped within a window. If it is above 0, at least one may be.
   * @default 0.1
   */
  readonly maxStoppedShare?: number;
  /**
   * Which runs may be stopped while the store is away. `process`: the same share of this process's runs · `none`: no run ·
   * `alone`: every run that its guard decides to stop, as without a fleet.
   * @default "process"
   */
  readonly stopsWhenAway?: StopsWhenAway;
  /**
   * Fingerprints that the whole tenant may report within a minute. Each process keeps to its share, by its part of the active runs: once
   * that is used up, it waits for the next minute.
   * @default 60000
   */
  readonly tenantQuota?: number;
  /** Called for every batch of reports and every change of state. Errors that it throws are ignored. */
  readonly observer?: StoreFleetObserver;
  /** Called when operators need to know something, once for each occasion. */
  readonly onNotice?: (notice: FleetNotice) => unknown;
  /** Called once in a window for each dead end, in one process of the whole fleet. */
  readonly onFinding?: (finding: FleetGlobalFinding) => unknown;
}

export type ResolvedStoreOptions = Required<
  Omit<StoreFleetOptions, "store" | "observer" | "onNotice" | "onFinding" | "now">
>;

const MIN_KEY_BYTES = 16;
/** An hour. A timer with a delay of more than 24 days fires immediately, again and again. */
const MAX_HEARTBEAT_MS = 3_600_000;
const TENANT_QUOTA = 60_000;
/** Every process beats at least once in this many heartbeats' time. */
const BEATS_TO_CONFIRM = 1.25;
const MODES: readonly unknown[] = ["on", "shadow", "off"] satisfies FleetMode[];
const STOPS_WHEN_AWAY: readonly unknown[] = ["process", "none", "alone"] satisfies StopsWhenAway[];

export function isTenant(tenant: unknown): boolean {
  return typeof tenant === "string" && /^[\w.-]{1,64}$/.test(tenant);
}

export function isFleetMode(mode: unknown): mode is FleetMode {
  return MODES.includes(mode);
}

/** Fills in the defaults; throws a `DoomloopError` for an invalid option. */
export function resolveStoreOptions(options: Omit<StoreFleetOptions, "store">): ResolvedStoreOptions {
  const { key, tenant = "default", witness = `${hostname()} ${process.pid}`, mode = "on" } = options;
  const { heartbeatMs = 5000, deadlineMs = 1000, tenantQuota = TENANT_QUOTA } = options;
  const { confirmMs = BEATS_TO_CONFIRM * heartbeatMs } = options;
  const { maxStoppedShare = 0.1, stopsWhenAway = "process" } = options;
  const { calls, workers, windowMs, countAll } = resolveFleetOptions(options);
  requireInteger("fleet: calls", calls, 2, MAX_COUNTED);
  requireInteger("fleet: heartbeatMs", heartbeatMs, 100, MAX_HEARTBEAT_MS);
  requireInteger("fleet: deadlineMs", deadlineMs, 1, 60_000);
  requireInteger("fleet: tenantQuota", tenantQuota, 1);
  requireThat(
    "confirmMs",
    "0 or more",
    confirmMs,
    typeof confirmMs === "number" && confirmMs >= 0 && confirmMs < Infinity,
  );
  requireThat("maxStoppedShare", "0 to 1", maxStoppedShare, maxStoppedShare >= 0 && maxStoppedShare <= 1);
  requireThat("stopsWhenAway", "process, none or alone", stopsWhenAway, STOPS_WHEN_AWAY.includes(stopsWhenAway));
  requireThat("mode", "on, shadow, off or a function", mode, typeof mode === "function" || isFleetMode(mode));
  requireThat("tenant", "1 to 64 of a-z, A-Z, 0-9, _, . and -", tenant, isTenant(tenant));
  requireThat("witness", "1 to 256 characters", witness, isWorkerName(witness));
  // The error must not contain the key.
  const keyBytes = typeof key === "string" || key instanceof Uint8Array ? Buffer.byteLength(key) : 0;
  requireThat("key", `at least ${MIN_KEY_BYTES} bytes`, `${keyBytes} bytes`, keyBytes >= MIN_KEY_BYTES);
  const counting = { key, tenant, witness, calls, workers, windowMs, countAll, tenantQuota };
  return { ...counting, mode, maxStoppedShare, stopsWhenAway, heartbeatMs, confirmMs, deadlineMs };
}

function requireThat(option: string, what: string, got: unknown, isMet: boolean): void {
  if (isMet) return;
  throw new DoomloopError("invalid-option", `fleet: ${option}: ${what} is required, got ${String(got).slice(0, 64)}`);
}

/** What operators of a fleet are told: facts only, no text. A lasting condition is reported once until it is over. */
export type FleetNotice =
  /** The store does not answer. Each process goes on by itself, and `stopsWhenAway` says which runs it may stop. */
  | { readonly kind: "store-away"; readonly reason: string }
  | { readonly kind: "store-back"; readonly awayMs: number }
  /** The store answers but rejects reports: it is out of memory, rights are missing, it is a replica, or a key holds something else. */
  | { readonly kind: "reports-refused"; readonly reason: string }
  /** Workers of this tenant have different values for these settings, so they do not see each other or judge differently. */
  | { readonly kind: "settings-differ"; readonly settings: readonly string[] }
  /**
   * `switch`: the store's switch or the option `mode` changed it · `distrust`: so many runs of this process loop that the
   * guard itself is presumed wrong.
   */
  | { readonly kind: "mode"; readonly mode: FleetMode; readonly because: "switch" | "distrust" }
  /** The switch holds something that is not a mode. The mode stays as it was. */
  | { readonly kind: "switch-unreadable" }
  /** This process has used up its share of `tenantQuota`, and waits for the next minute. */
  | { readonly kind: "quota-reached" }
  /** Something writes far more news than the fleet's processes do. This process reads the latest part of it, and may miss dead ends. */
  | { readonly kind: "news-flooded" }
  /** Something keeps removing the news. Other processes may not learn of dead ends. */
  | { readonly kind: "news-removed" }
  /** Something keeps removing the counts of these suspected calls, so that they never become dead ends. */
  | { readonly kind: "counts-removed"; readonly calls: readonly ClearedCall[] };

/** The result of sending reports. `dropped`: they were given up without asking the store. */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/**
 * The state of a fleet's store. `connected`: it answers and accepts reports · `degraded`: it does not, and each process sees only itself ·
 * `mismatch`: workers have different settings · `ended`: the fleet was closed.
 */
export type FleetState = "connected" | "degraded" | "mismatch" | "ended";

/** Receives what a fleet does, to count it; `telemetry.observeFleet()` returns one. A structural type, so that a fleet does not depend on telemetry. */
export interface StoreFleetObserver {
  onFlush(flush: { readonly durationMs: number; readonly reports: number; readonly outcome: FlushOutcome }): unknown;
  onState(state: FleetState): unknown;
  /** How far guards may act, at first and when it changes. */
  onMode?(mode: FleetMode): unknown;
  /** The kind of each notice. */
  onNotice?(kind: FleetNotice["kind"]): unknown;
}
