import { Redis } from "ioredis";
import type { Server } from "../servers/server.ts";

/** What the store counts of one fingerprint. */
export interface StoredCount {
  /** The fingerprint, as the store names it. */
  readonly name: string;
  readonly calls: number;
  readonly witnesses: number;
}

const KEYS_AT_ONCE = 500;

/** Reads every count of a tenant, from the servers themselves, past the proxies. */
export async function readStore(primaries: readonly Server[], tenant: string): Promise<StoredCount[]> {
  const counts = await Promise.all(primaries.map(({ port }) => readServer(port, tenant)));
  return counts.flat();
}

async function readServer(port: number, tenant: string): Promise<StoredCount[]> {
  const client = new Redis({ host: "127.0.0.1", port });
  try {
    const start = `dl2:{${tenant}:`;
    // A scan tells of a key twice where the server makes room for more of them meanwhile.
    const names = new Set<string>();
    for await (const keys of client.scanStream({ match: `${start}*}:c`, count: KEYS_AT_ONCE })) {
      for (const key of keys as string[]) names.add(key.slice(start.length, -"}:c".length));
    }
    const all = [...names];
    const counts: StoredCount[] = [];
    for (let at = 0; at < all.length; at += KEYS_AT_ONCE) {
      const some = all.slice(at, at + KEYS_AT_ONCE);
      const pipeline = client.pipeline();
      for (const name of some) pipeline.pfcount(`${start}${name}}:c`).pfcount(`${start}${name}}:w`);
      const replies = (await pipeline.exec()) ?? [];
      // What somebody else wrote counts nothing.
      const numbers = replies.map(([error, count]) => (error ? 0 : (count as number)));
      counts.push(...some.map((name, of) => ({ name, calls: numbers[2 * of]!, witnesses: numbers[2 * of + 1]! })));
    }
    return counts;
  } finally {
    client.disconnect();
  }
}
