import { type ChainableCommander, Redis } from "ioredis";
import { newsKeyNow } from "../clients/one-server.ts";
import type { Server } from "../servers/server.ts";
import { TENANT } from "./campaign-fleet.ts";

/** Eviction policies of a server whose memory is full. */
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

/** Data in the fleet's keys that the fleet did not write. */
interface Garbage {
  readonly title: string;
  write(server: Server): Promise<void>;
}

const control = (name: string): string => `dl3:{${TENANT}}:${name}`;

export const garbage: readonly Garbage[] = [
  { title: "all keys are lists", write: replaceAll((writing, key) => writing.rpush(key, "x")) },
  { title: "all keys are texts", write: replaceAll((writing, key) => writing.set(key, "x")) },
  {
    title: "all keys are sets with odd characters",
    write: replaceAll((writing, key) => writing.sadd(key, "\0{}\r\n*\ud83d")),
  },
  {
    title: "settings and switch have 100 KB",
    write: withClient(async (client) => {
      for (const key of [control("settings"), `dl:{${TENANT}}:switch`]) await client.set(key, "off ".repeat(25_000));
    }),
  },
  {
    title: "300 lines of the news cannot be read",
    write: withClient(async (client) => {
      const key = await newsKeyNow(client, TENANT);
      for (let at = 0; at < 300; at++) await client.append(key, unreadable[at % unreadable.length]!);
    }),
  },
];

const name = "A".repeat(22);
const unreadable: readonly string[] = [
  `${"x".repeat(100_000)}\n`,
  "{",
  "null\n",
  '[["a"],{},null,-1,1e999]\n',
  `${JSON.stringify([0, name, "fetch", "many", "all", "long"])}\n`,
  `${JSON.stringify([0, name, "\u0000\u202e</script>", -1, 2, 300_000])}\n`,
  `${JSON.stringify([0, `${name}{}:*\n`, "fetch", 10, 2, 300_000])}\n`,
  "\0\r\n$5\r\n",
];

function withClient(write: (client: Redis) => Promise<unknown>): (server: Server) => Promise<void> {
  return async ({ port }) => {
    const client = new Redis({ host: "127.0.0.1", port });
    try {
      await write(client);
    } finally {
      client.disconnect();
    }
  };
}

/** Every key of doomloop, of all tenants. */
function replaceAll(write: (writing: ChainableCommander, key: string) => unknown): (server: Server) => Promise<void> {
  return withClient(async (client) => {
    const writing = client.multi();
    for (const key of [...(await client.keys("dl3:*")), ...(await client.keys("dl:*"))]) write(writing.del(key), key);
    await writing.exec();
  });
}

/** Fills a server's memory with foreign data for this long, and then deletes it. */
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
