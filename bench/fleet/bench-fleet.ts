import { createRedisFleet, type RedisFleet, type RedisFleetOptions } from "../../packages/doomloop/src/fleet/index.ts";
import { fleetKeys } from "../../packages/doomloop/src/fleet/redis/fleet-keys.ts";

export const TENANT = "bench";
export const KEYS = fleetKeys(TENANT);
export const WINDOW_MS = 300_000;

/** A fleet as a process of its own has it. */
export function benchFleet(number: number, client: unknown, options: Partial<RedisFleetOptions> = {}): RedisFleet {
  const key = "a secret of the bench";
  return createRedisFleet({
    key,
    tenant: TENANT,
    witness: `process ${number}`,
    ...options,
    client,
  } as RedisFleetOptions);
}

/** A fingerprint of its own for each number below 2^30. */
export function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}
