import { hostname } from "node:os";
import { DoomloopError, requireInteger } from "../../core/doomloop-error.ts";
import type { FleetMode } from "../../core/fleet-member.ts";
import type { FleetGlobalFinding } from "../fleet.ts";
import type { FleetNotice, RedisFleetObserver } from "../fleet-notice.ts";
import { type FleetOptions, resolveFleetOptions } from "../fleet-options.ts";
import { isWorkerName } from "../fleet-worker.ts";
import { MAX_COUNTED } from "./dead-ends.ts";
import type { RedisClient } from "./redis-client.ts";

/** What may be stopped while the store cannot be asked. */
export type StopsWhenAway = "process" | "none" | "alone";

export interface RedisFleetOptions extends FleetOptions {
  /**
   * A client of `ioredis`, `iovalkey` or `redis` (node-redis), for one server, Sentinel or Cluster, without `keyPrefix`. It can serve
   * others as well, and stays yours: its time-outs, its reconnecting, its end. The fleet listens to its `error` event.
   */
  readonly client: RedisClient;
  /** The secret that fingerprints are keyed with, at least 16 bytes; the same in all workers. */
  readonly key: string | Uint8Array;
  /**
   * Keeps swarms on one server apart: letters, digits, `_`, `.` and `-`, at most 64.
   * @default "default"
   */
  readonly tenant?: string;
  /**
   * Who this process is to the others: all its workers together are one witness, whatever they are called. 1 to 256 characters.
   * @default the host's name and the process's number
   */
  readonly witness?: string;
  /**
   * A mode that holds besides the store's switch; the quieter of the two is in effect. A function is asked at every heartbeat. For what
   * must hold whether or not the store is there: `process.env.DOOMLOOP_FLEET_MODE`, or a file of the host.
   * @default "on"
   */
  readonly mode?: FleetMode | (() => FleetMode);
  /**
   * How often, give or take a fifth, the switch and the dead ends of others are asked for.
   * @default 5000
   */
  readonly heartbeatMs?: number;
  /**
   * How long a reply may take until it is late. Two late ones in a row: the store is away.
   * @default 1000
   */
  readonly deadlineMs?: number;
  /**
   * The share of the fleet's active runs that may be stopped in a window. If above 0, at least one may.
   * @default 0.1
   */
  readonly maxStoppedShare?: number;
  /**
   * What may be stopped while the store cannot be asked. `process`: the same share of this process's runs · `none`: no run ·
   * `alone`: whatever the guards decide, as without a fleet.
   * @default "process"
   */
  readonly stopsWhenAway?: StopsWhenAway;
  /**
   * Fingerprints that the whole tenant reports within a minute, after which this process waits for the next.
   * @default 60000
   */
  readonly tenantQuota?: number;
  /** Told of every batch of reports and of every change of state. What it throws is not heard. */
  readonly observer?: RedisFleetObserver;
  /** Told what an operator must know: once each time. */
  readonly onNotice?: (notice: FleetNotice) => unknown;
  /** Told of a new dead end, in one process of the whole fleet. */
  readonly onFinding?: (finding: FleetGlobalFinding) => unknown;
}

export type ResolvedRedisOptions = Required<
  Omit<RedisFleetOptions, "client" | "observer" | "onNotice" | "onFinding" | "now">
>;

const MIN_KEY_BYTES = 16;
/** An hour. A timer that is asked for more than 24 days goes off at once, and again. */
const MAX_HEARTBEAT_MS = 3_600_000;
export const TENANT_QUOTA = 60_000;
const MODES: readonly unknown[] = ["on", "shadow", "off"] satisfies FleetMode[];
const STOPS_WHEN_AWAY: readonly unknown[] = ["process", "none", "alone"] satisfies StopsWhenAway[];

export function isTenant(tenant: unknown): boolean {
  return typeof tenant === "string" && /^[\w.-]{1,64}$/.test(tenant);
}

export function isFleetMode(mode: unknown): mode is FleetMode {
  return MODES.includes(mode);
}

/** Fills in what the caller left out; throws a `DoomloopError` for what makes no sense. */
export function resolveRedisOptions(options: RedisFleetOptions): ResolvedRedisOptions {
  const { key, tenant = "default", witness = `${hostname()} ${process.pid}`, mode = "on" } = options;
  const { heartbeatMs = 5000, deadlineMs = 1000, tenantQuota = TENANT_QUOTA } = options;
  const { maxStoppedShare = 0.1, stopsWhenAway = "process" } = options;
  const { calls, workers, windowMs, countAll } = resolveFleetOptions(options);
  requireInteger("fleet: calls", calls, 2, MAX_COUNTED);
  requireInteger("fleet: heartbeatMs", heartbeatMs, 100, MAX_HEARTBEAT_MS);
  requireInteger("fleet: deadlineMs", deadlineMs, 1, 60_000);
  requireInteger("fleet: tenantQuota", tenantQuota, 1);
  requireThat("maxStoppedShare", "0 to 1", maxStoppedShare, maxStoppedShare >= 0 && maxStoppedShare <= 1);
  requireThat("stopsWhenAway", "process, none or alone", stopsWhenAway, STOPS_WHEN_AWAY.includes(stopsWhenAway));
  requireThat("mode", "on, shadow, off or a function", mode, typeof mode === "function" || isFleetMode(mode));
  requireThat("tenant", "1 to 64 of a-z, A-Z, 0-9, _, . and -", tenant, isTenant(tenant));
  requireThat("witness", "1 to 256 characters", witness, isWorkerName(witness));
  // What is wrong with a key is said without the key.
  const keyBytes = typeof key === "string" || key instanceof Uint8Array ? Buffer.byteLength(key) : 0;
  requireThat("key", `at least ${MIN_KEY_BYTES} bytes`, `${keyBytes} bytes`, keyBytes >= MIN_KEY_BYTES);
  const counting = { key, tenant, witness, calls, workers, windowMs, countAll, tenantQuota };
  return { ...counting, mode, maxStoppedShare, stopsWhenAway, heartbeatMs, deadlineMs };
}

function requireThat(option: string, what: string, got: unknown, isMet: boolean): void {
  if (isMet) return;
  throw new DoomloopError("invalid-option", `fleet: ${option}: ${what} is required, got ${String(got).slice(0, 64)}`);
}
