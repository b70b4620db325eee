import { createRedisFleet, type RedisClient, type RedisFleet, type RedisFleetOptions } from "doomloop/fleet";

const key = "a secret of the tests, long enough";
const opened: RedisFleet[] = [];
let tenants = 0;

/** A fleet of its own: no other has its tenant. The deadline is wide, because the machine of the tests is busy. */
export function newFleet(client: RedisClient, options: Partial<RedisFleetOptions> = {}): RedisFleet {
  const fleet = createRedisFleet({ client, key, tenant: newTenant(), deadlineMs: 2000, ...options });
  opened.push(fleet);
  return fleet;
}

export function newTenant(): string {
  return `test-${process.pid}-${tenants++}`;
}

/** Ends the fleets made so far, which otherwise go on asking their store. */
export async function closeFleets(): Promise<void> {
  await Promise.all(opened.splice(0).map((fleet) => fleet.close()));
}
