import { createStoreFleet, type StoreFleet } from "../process/store-fleet.ts";
import type { StoreFleetOptions } from "../process/store-fleet-options.ts";
import type { RedisClient } from "./redis-client.ts";
import { redisStore } from "./redis-store.ts";

/** The options of a fleet over Redis or Valkey. */
export interface RedisFleetOptions extends Omit<StoreFleetOptions, "store"> {
  /**
   * A client of `ioredis`, `iovalkey` or `redis` (node-redis) for a single server, Sentinel or Cluster, without `keyPrefix`. Your
   * program can use it for other things, too, and remains in charge of its timeouts, reconnecting and closing. The fleet listens to
   * its `error` event.
   */
  readonly client: RedisClient;
}

/** A fleet over Redis or Valkey. */
export type RedisFleet = StoreFleet;

/** Creates one process's side of a fleet over Redis or Valkey. Throws a `DoomloopError` for an invalid option. */
export function createRedisFleet({ client, ...options }: RedisFleetOptions): RedisFleet {
  return createStoreFleet({ ...options, store: redisStore(client) });
}
