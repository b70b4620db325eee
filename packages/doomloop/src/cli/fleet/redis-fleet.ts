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
export async function createRedisFleet(parts: RedisFleetParts): Promise<WatchableFleet> {
  const fleet: Readonly<Record<string, unknown>> = await import("../../fleet/index.ts");
  const create = fleet.createRedisFleet;
  if (typeof create !== "function") throw new UsageError("this version of doomloop has no fleet over Redis");
  return (create as (parts: RedisFleetParts) => WatchableFleet)(parts);
}
