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

/** Somebody who looks has more patience than a worker that works. */
const DEADLINE_MS = 1000;

/**
 * Makes the fleet that workers share over Redis or Valkey. The one place where the command line knows how that is done.
 *
 * Throws a `DoomloopError` for parts that make no sense.
 */
export async function createRedisFleet({ client, tenant, key }: RedisFleetParts): Promise<WatchableFleet> {
  if (key === undefined) throw new UsageError("--key-file: a file with the key of the deployment is required");
  const { createRedisFleet: create } = await import("../../fleet/redis/redis-fleet.ts");
  let fault: string | undefined;
  const fleet = create({
    client: client as RedisClient,
    key,
    ...(tenant !== undefined && { tenant }),
    deadlineMs: DEADLINE_MS,
    // Told of the first fault: an empty screen must not pass for good news.
    breakerFailures: 1,
    onNotice(notice) {
      if (notice.kind === "store-away") fault = notice.reason;
      if (notice.kind === "store-back") fault = undefined;
    },
  });
  return {
    findings: () => fleet.findings(),
    async flush() {
      await fleet.flush();
      if (fault !== undefined) throw new Error(fault);
    },
    close: () => fleet.close(),
    state() {
      const { store, mode } = fleet.stats();
      return mode === "on" ? (store === "closed" ? "connected" : "degraded") : mode;
    },
  };
}
