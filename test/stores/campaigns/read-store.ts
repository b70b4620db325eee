import { Redis } from "ioredis";
import type { Server } from "../servers/server.ts";

/** A call that counts, as the store has it. */
export interface StoredCall {
  /** Under which start of the store it counts: a fleet looks at the latest alone. The part of its key before the last. */
  readonly epoch: string;
  /** The fingerprint, as the store names it: the last part of its key. */
  readonly name: string;
  /** Run and report, as the store names them. */
  readonly call: string;
}

/** Scores from here on are of workers, not of calls. */
const FIRST_WORKER_SCORE = 2 ** 44;
const KEYS_AT_ONCE = 500;

/** Reads every call a tenant has, from the servers themselves, past the proxies. */
export async function readStore(primaries: readonly Server[], tenant: string): Promise<StoredCall[]> {
  const calls: StoredCall[] = [];
  for (const { port } of primaries) {
    const client = new Redis({ host: "127.0.0.1", port });
    try {
      // A scan tells of a key twice where the server makes room for more of them meanwhile.
      const found = new Set<string>();
      for await (const keys of client.scanStream({ match: `dl1:{${tenant}:*`, count: KEYS_AT_ONCE })) {
        for (const key of (keys as string[]).filter(isFingerprintKey)) found.add(key);
      }
      const all = [...found];
      for (let at = 0; at < all.length; at += KEYS_AT_ONCE)
        await readKeys(client, all.slice(at, at + KEYS_AT_ONCE), calls);
    } finally {
      client.disconnect();
    }
  }
  return calls;
}

/** Whether a key holds the calls of a fingerprint: not the fleet's own state. */
function isFingerprintKey(key: string): boolean {
  return !key.includes(":control}");
}

async function readKeys(client: Redis, keys: readonly string[], into: StoredCall[]): Promise<void> {
  const pipeline = client.pipeline();
  // What a success has settled has a negative time and does not count.
  for (const key of keys) pipeline.zrangebyscore(key, 1, `(${FIRST_WORKER_SCORE}`);
  const replies = (await pipeline.exec()) ?? [];
  for (const [at, [error, members]] of replies.entries()) {
    if (error) throw error;
    const [epoch, name] = keys[at]!.split(":").slice(-2) as [string, string];
    for (const member of members as string[]) into.push({ epoch, name, call: member });
  }
}
