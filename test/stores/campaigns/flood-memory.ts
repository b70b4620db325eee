import { Redis } from "ioredis";
import type { Server } from "../servers/server.ts";

/** What servers do when their memory is full. */
export const policies: readonly { readonly policy: string; readonly isLong: boolean }[] = [
  { policy: "noeviction", isLong: false },
  { policy: "allkeys-lru", isLong: false },
  { policy: "allkeys-lfu", isLong: true },
  { policy: "allkeys-random", isLong: false },
  { policy: "volatile-lru", isLong: true },
  { policy: "volatile-lfu", isLong: true },
  { policy: "volatile-random", isLong: true },
  { policy: "volatile-ttl", isLong: false },
];

const roomBytes = 2_000_000;
const value = "x".repeat(1000);

/** Fills the memory of a server for so long with what is not ours, and lets go of it. */
export async function floodMemory(server: Server, policy: string, forMs: number): Promise<void> {
  const client = new Redis({ host: "127.0.0.1", port: server.port });
  try {
    const used = Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
    await client.config("SET", "maxmemory-policy", policy);
    await client.config("SET", "maxmemory", String(used + roomBytes));
    const end = performance.now() + forMs;
    const isFull = async () => policy === "noeviction" || /evicted_keys:[1-9]/.test(await client.info("stats"));
    for (let at = 0; performance.now() < end || !(await isFull()); ) {
      const pipeline = client.pipeline();
      for (const last = at + 200; at < last; at++) pipeline.set(`flood:${at}`, value, "PX", 600_000);
      await pipeline.exec();
    }
    await client.config("SET", "maxmemory", "0");
  } finally {
    client.disconnect();
  }
}
