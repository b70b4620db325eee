import type { RedisClient } from "../../fleet/redis/redis-client.ts";
import { UsageError } from "../usage-error.ts";
import type { WatchableFleet } from "./fleet-view.ts";

/** What a fleet over Redis is made of. */
export interface RedisFleetParts {
  /** A connected client of the user's own. */
  readonly client: unknown;
  readonly tenant?: string;
  /** The key of the deployment, which fingerprints are made with. */
  readonly key?: string;
}

/**
 * Makes the fleet that workers share over Redis or Valkey. The one place where the command line knows how that is done.
 *
 * Throws a `DoomloopError` for parts that make no sense.
 */
export async function createRedisFleet({ client, tenant, key }: RedisFleetParts): Promise<WatchableFleet> {
  if (key === undefined) throw new UsageError("--key-file: a file with the key of the deployment is required");
  const { createRedisFleet: create } = await import("../../fleet/redis/redis-fleet.ts");
  const fleet = create({ client: client as RedisClient, key, ...(tenant !== undefined && { tenant }) });
  return {
    findings: () => fleet.findings(),
    flush: () => fleet.flush(),
    close: () => fleet.close(),
    state() {
      const { store, mode } = fleet.stats();
      return mode === "on" ? (store === "closed" ? "connected" : "degraded") : mode;
    },
  };
}
