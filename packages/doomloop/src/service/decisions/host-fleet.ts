import { isDoomloopError } from "../../core/doomloop-error.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import { memberOf } from "../../fleet/fleet-evidence.ts";
import type { FleetMember } from "../../fleet/fleet-member.ts";
import { connectRedis, findClient, readAddress } from "../../fleet/inspect/connect-redis.ts";
import { storeOnceConnected } from "../../fleet/inspect/late-store.ts";
import { type FleetAddress, readAuthority, readKey, readTenant } from "../../fleet/inspect/open-store.ts";
import { createStoreFleet } from "../../fleet/process/store-fleet.ts";
import type { FleetNotice } from "../../fleet/process/store-fleet-options.ts";
import type { RedisClient } from "../../fleet/redis/redis-client.ts";
import type { OpenFleetStore } from "../../fleet/store.ts";
import { UsageError } from "../../system/usage-error.ts";
import { createFleetMetrics } from "./fleet-metrics.ts";

/** What the service's fleet tells the operator. */
export type HostFleetNote =
  | { readonly event: "fleet"; readonly notice: FleetNotice }
  | { readonly event: "dead-end"; readonly tool: string; readonly calls: number; readonly processes: number };

/** One membership in a fleet, for all runs of a service. */
export interface HostFleet {
  /** The side of one run. Each run is a worker of its own. */
  join(run: string): FleetMember;
  /** The side of guards that follow the fleet's switch and report nothing. */
  readonly listener: FleetMember;
  /** For Prometheus. */
  metrics(): string;
  /** Delivers what waits, for a second at most. */
  close(): Promise<void>;
}

export interface HostFleetOptions {
  readonly store: OpenFleetStore;
  readonly key: Uint8Array;
  readonly tenant: string;
  /** @default 5000 */
  readonly heartbeatMs?: number;
  onNote(note: HostFleetNote): void;
}

/** A connection that says nothing for so long is dead: every five seconds there is a heartbeat. */
const SOCKET_TIMEOUT_MS = 15_000;

/** Joins a fleet over any store. Throws a `DoomloopError` for an invalid option. */
export function createHostFleet({ onNote, ...options }: HostFleetOptions): HostFleet {
  const metrics = createFleetMetrics();
  const fleet = createStoreFleet({
    ...options,
    observer: metrics,
    onNotice: (notice) => onNote({ event: "fleet", notice }),
    onFinding: ({ tool, calls, workers }) =>
      onNote({ event: "dead-end", tool: toolLabel(tool), calls, processes: workers }),
  });
  const { mode } = fleet.join({ worker: "listener" });
  return {
    join: (run) => fleet.join({ worker: run }),
    listener: memberOf({ report() {}, verdict: () => undefined, ...(mode && { mode }) }),
    metrics: () => metrics.text(fleet.findings().length),
    close: () => fleet.close(),
  };
}

/** Where the fleet is, and the file with its key. */
export interface HostFleetAddress extends FleetAddress {
  readonly url: string;
  readonly keyFile?: string | undefined;
}

/**
 * Joins a fleet over Redis or Valkey. If the store cannot be reached, runs are judged without it, and it is tried again. Throws a
 * `UsageError` for what only the user can correct.
 */
export function connectHostFleet(address: HostFleetAddress, onNote: HostFleetOptions["onNote"]): HostFleet {
  const { url, keyFile, client: only, cluster: isCluster } = address;
  if (keyFile === undefined)
    throw new UsageError("--fleet, or DOOMLOOP_FLEET_URL: --key-file, with the workers' key, is required");
  const [tenant, key, ca] = [readTenant(address), readKey(keyFile), readAuthority(address)];
  readAddress(url, "--fleet");
  findClient({ only });
  let isClosed = false;
  let disconnect = (): void => {};
  const store = storeOnceConnected(async () => {
    const connected = await connectRedis(url, { only, isCluster, ca, socketTimeoutMs: SOCKET_TIMEOUT_MS });
    disconnect = connected.close;
    if (isClosed) disconnect();
    return connected.client as RedisClient;
  });
  const close = (): void => {
    isClosed = true;
    disconnect();
  };
  try {
    const fleet = createHostFleet({ store, key, tenant, onNote });
    return { ...fleet, close: () => fleet.close().finally(close) };
  } catch (error) {
    if (!isDoomloopError(error)) throw error;
    throw new UsageError(`--fleet: ${error.message}`, { cause: error });
  }
}
