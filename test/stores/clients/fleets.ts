import { createRedisFleet, type RedisClient, type RedisFleet, type RedisFleetOptions } from "doomloop/fleet";

const key = "a secret of the tests, long enough";
const opened: RedisFleet[] = [];
let names = 0;

/**
 * A fleet of its own: no other has its tenant, nor its witness, as if it lived in a process of its own. The deadline is wide, because the
 * machine of the tests is busy.
 */
export function newFleet(client: RedisClient, options: Partial<RedisFleetOptions> = {}): RedisFleet {
  const own = { tenant: newTenant(), witness: newTenant(), deadlineMs: 10_000 };
  const fleet = createRedisFleet({ client, key, ...own, ...options });
  opened.push(fleet);
  return fleet;
}

/** Fleets of one tenant, each as if it lived in a process of its own. */
export function newFleets(count: number, client: RedisClient, options: Partial<RedisFleetOptions> = {}): RedisFleet[] {
  const tenant = newTenant();
  return Array.from({ length: count }, () => newFleet(client, { tenant, ...options }));
}

/** Flushes them one after the other: the last one hears what the others said. */
export async function flushAll(...fleets: readonly RedisFleet[]): Promise<void> {
  for (const fleet of fleets) await fleet.flush();
}

export function newTenant(): string {
  return `test-${process.pid}-${names++}`;
}

/** Ends the fleets made so far, which otherwise go on asking their store. */
export async function closeFleets(): Promise<void> {
  await Promise.all(opened.splice(0).map((fleet) => fleet.close()));
}
