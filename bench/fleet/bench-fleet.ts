import { createRedisFleet, type RedisFleet, type RedisFleetOptions } from "../../packages/doomloop/src/fleet/index.ts";

/** A server that is kept busy answers later than a worker would wait: here nothing is given up. */
const patience = { deadlineMs: 10_000, maxDelayMs: 60_000, maxQueued: 1_000_000 };

export function benchFleet(client: unknown, options: Partial<RedisFleetOptions> = {}): RedisFleet {
  return createRedisFleet({ key: "a secret of the bench", ...patience, ...options, client } as RedisFleetOptions);
}

/** A fingerprint of its own for each number below 2^30. */
export function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}
