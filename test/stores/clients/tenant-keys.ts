import type { Redis } from "ioredis";

/** All keys of a tenant that are in the store now. */
export function keysOf(client: Redis, tenant: string): Promise<string[]> {
  return client.keys(`dl2:{${tenant}[}:]*`);
}

/** The keys of fingerprints among them. */
export function fingerprintKeys(client: Redis, tenant: string): Promise<string[]> {
  return client.keys(`dl2:{${tenant}:*`);
}

/** Lets time pass for a tenant's keys: each ends that much earlier, and its news are that much older. */
export async function passTime(client: Redis, tenant: string, passedMs: number): Promise<void> {
  const news = `dl2:{${tenant}}:news`;
  for (const key of await keysOf(client, tenant)) {
    const lastsMs = await client.pttl(key);
    if (lastsMs >= 0) await client.pexpire(key, Math.max(0, lastsMs - passedMs));
  }
  const lastsMs = await client.pttl(news);
  if (lastsMs < 0) return;
  const entries = await client.xrange(news, "-", "+");
  await client.del(news);
  for (const [id, fields] of entries) {
    const [at, place] = id.split("-");
    await client.xadd(news, `${Number(at) - passedMs}-${place}`, ...fields);
  }
  await client.pexpire(news, lastsMs);
}
