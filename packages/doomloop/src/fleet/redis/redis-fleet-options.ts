import { DoomloopError, requireInteger } from "../../core/doomloop-error.ts";
import type { FleetGlobalFinding } from "../fleet.ts";
import { type FleetOptions, resolveFleetOptions } from "../fleet-options.ts";
import type { GlideClient } from "./clients/glide.ts";
import type { FleetNotice } from "./fleet-notice.ts";
import type { RedisClient } from "./redis-client.ts";
import type { RedisFleetObserver } from "./redis-fleet-observer.ts";

export interface RedisFleetOptions extends FleetOptions {
  /**
   * A client of `ioredis`, `iovalkey`, `redis` or `@valkey/valkey-glide`, for one server, Sentinel or Cluster. It can serve
   * others as well: once a reply does not come in time, the fleet goes on with a copy of it (`duplicate`), which ends with
   * it or with the fleet. Glide has no copies: see `copyClient`.
   */
  readonly client: RedisClient;
  /**
   * For Glide alone: makes another client with the same settings (`() => GlideClient.createClient(...)`), which the fleet goes on
   * with once a reply does not come in time, and closes. Without it, reconnecting is left to the client, which holds on to a connection whose
   * peer is silent.
   */
  readonly copyClient?: () => Promise<GlideClient>;
  /** Told of every batch of reports and of every change of state. What it throws is not heard. */
  readonly observer?: RedisFleetObserver;
  /** The secret that fingerprints are keyed with, at least 16 bytes; the same in all workers. */
  readonly key: string | Uint8Array;
  /**
   * Keeps swarms on one server apart: letters, digits, `_`, `.` and `-`, at most 64.
   * @default "default"
   */
  readonly tenant?: string;
  /**
   * Slots that counts are spread over; the same in all workers. One server needs one, a Cluster a few for each primary.
   * @default 1
   */
  readonly shards?: number;
  /**
   * How long a report waits at most for others to travel with.
   * @default 50
   */
  readonly flushMs?: number;
  /**
   * Fingerprints that travel at once, without waiting any longer.
   * @default 256
   */
  readonly flushFingerprints?: number;
  /**
   * Calls to the store under way at a time.
   * @default 4
   */
  readonly maxInFlight?: number;
  /**
   * Reports that wait. If there are more, the oldest are lost.
   * @default 10000
   */
  readonly maxQueued?: number;
  /**
   * How long a report that cannot be delivered is kept.
   * @default 10000
   */
  readonly maxDelayMs?: number;
  /**
   * Calls and workers, together, that are remembered of one fingerprint within a window: they are counted up to here. Beyond 128
   * a server keeps them in a form that takes several times the room.
   * @default 128
   */
  readonly maxCallsPerFingerprint?: number;
  /**
   * How long a reply may take. After that the connection is given up for a new one.
   * @default 25
   */
  readonly deadlineMs?: number;
  /**
   * Faults in a row after which the store is left alone for a while.
   * @default 3
   */
  readonly breakerFailures?: number;
  /**
   * The longest pause before a store that was away is tried again.
   * @default 500
   */
  readonly maxProbeMs?: number;
  /**
   * How often switches and the dead ends of others are asked for.
   * @default 1000
   */
  readonly pulseMs?: number;
  /**
   * The share of the active runs that may be stopped in a window. If above 0, at least one may.
   * @default 0.1
   */
  readonly maxStoppedShare?: number;
  /**
   * If more than this share of the active runs loops, the fault is taken to be ours: nothing is done, only reported.
   * @default 0.5
   */
  readonly distrustShare?: number;
  /**
   * Active runs below which the share of looping ones says nothing.
   * @default 10
   */
  readonly minRuns?: number;
  /** Told when the store goes away and comes back, and when the fleet changes its mode: once each time. */
  readonly onNotice?: (notice: FleetNotice) => unknown;
  /** Told of a new dead end, in one process of the whole fleet. */
  readonly onFinding?: (finding: FleetGlobalFinding) => unknown;
}

export type ResolvedRedisOptions = Required<
  Omit<RedisFleetOptions, "observer" | "onNotice" | "onFinding" | "client" | "copyClient" | "now">
>;

const TENANT = /^[\w.-]{1,64}$/;
const MIN_KEY_BYTES = 16;

/** Fills in what the caller left out; throws a `DoomloopError` for what makes no sense. */
export function resolveRedisOptions(options: RedisFleetOptions): ResolvedRedisOptions {
  const { key, tenant = "default", shards = 1, flushMs = 50, flushFingerprints = 256, maxInFlight = 4 } = options;
  const { maxQueued = 10_000, maxDelayMs = 10_000, maxCallsPerFingerprint = 128, deadlineMs = 25 } = options;
  const { breakerFailures = 3, maxProbeMs = 500, pulseMs = 1000, minRuns = 10 } = options;
  const { maxStoppedShare = 0.1, distrustShare = 0.5 } = options;
  const { calls, workers, windowMs, countAll } = resolveFleetOptions(options);
  requireInteger("fleet: shards", shards, 1, 1024);
  requireInteger("fleet: flushMs", flushMs, 1, 60_000);
  requireInteger("fleet: flushFingerprints", flushFingerprints, 1, 1024);
  requireInteger("fleet: maxInFlight", maxInFlight, 1, 1024);
  requireInteger("fleet: maxQueued", maxQueued, 1);
  requireInteger("fleet: maxDelayMs", maxDelayMs, 1, windowMs);
  requireInteger("fleet: maxCallsPerFingerprint", maxCallsPerFingerprint, calls, 1024);
  requireInteger("fleet: deadlineMs", deadlineMs, 1, 60_000);
  requireInteger("fleet: breakerFailures", breakerFailures, 1);
  requireInteger("fleet: maxProbeMs", maxProbeMs, 1);
  requireInteger("fleet: pulseMs", pulseMs, 10);
  requireInteger("fleet: minRuns", minRuns, 1);
  requireShare("fleet: maxStoppedShare", maxStoppedShare);
  requireShare("fleet: distrustShare", distrustShare);
  requireKey(key);
  requireFunction("fleet: copyClient", options.copyClient);
  if (typeof tenant !== "string" || !TENANT.test(tenant)) {
    throw new DoomloopError(
      "invalid-option",
      `fleet: tenant: 1 to 64 letters, digits, _, . or - are required, got ${typeof tenant === "string" ? `${tenant.length} characters` : String(tenant)}`,
    );
  }
  const counting = { calls, workers, windowMs, countAll, maxCallsPerFingerprint, shards };
  const queueing = { flushMs, flushFingerprints, maxInFlight, maxQueued, maxDelayMs };
  const store = { key, tenant, deadlineMs, breakerFailures, maxProbeMs, pulseMs };
  return { ...counting, ...queueing, ...store, maxStoppedShare, distrustShare, minRuns };
}

function requireShare(where: string, share: number): void {
  if (typeof share === "number" && share >= 0 && share <= 1) return;
  throw new DoomloopError("invalid-option", `${where}: a number from 0 to 1 is required, got ${String(share)}`);
}

function requireFunction(where: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw new DoomloopError("invalid-option", `${where}: a function is required, got ${typeof value}`);
}

/** What the secret was is nobody's business, not even in the words of an error. */
function requireKey(key: unknown): void {
  const isKey = typeof key === "string" || key instanceof Uint8Array;
  const bytes = isKey ? Buffer.byteLength(key) : 0;
  if (bytes >= MIN_KEY_BYTES) return;
  const got = isKey ? `${bytes} bytes` : typeof key;
  throw new DoomloopError("invalid-option", `fleet: key: at least ${MIN_KEY_BYTES} bytes are required, got ${got}`);
}
