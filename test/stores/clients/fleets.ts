import { createRedisFleet, type RedisClient, type RedisFleetOptions, type StoreFleet } from "doomloop/fleet";

const key = "a secret of the tests, long enough";
const opened: StoreFleet[] = [];
let names = 0;

/**
 * A fleet with a tenant and a witness of its own, as if it were in a process of its own. The deadline is long, because the machine
 * that runs the tests is busy. Nobody waits for objections.
 */
export function newFleet(client: RedisClient, options: Partial<RedisFleetOptions> = {}): StoreFleet {
  const own = { tenant: newTenant(), witness: newTenant(), deadlineMs: 10_000, confirmMs: 0 };
  const fleet = createRedisFleet({ client, key, ...own, ...options });
  opened.push(fleet);
  return fleet;
}

/** Fleets of one tenant, each as if it were in a process of its own. */
export function newFleets(count: number, client: RedisClient, options: Partial<RedisFleetOptions> = {}): StoreFleet[] {
  const tenant = newTenant();
  return Array.from({ length: count }, () => newFleet(client, { tenant, ...options }));
}

/** Flushes them one after another, so that the last one learns what the others reported. */
export async function flushAll(...fleets: readonly StoreFleet[]): Promise<void> {
  for (const fleet of fleets) await fleet.flush();
}

export function newTenant(): string {
  return `test-${process.pid}-${names++}`;
}

/** Closes all fleets made so far, which would otherwise go on asking their store. */
export async function closeFleets(): Promise<void> {
  await Promise.all(opened.splice(0).map((fleet) => fleet.close()));
}
