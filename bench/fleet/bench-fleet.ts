import { type EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import {
  createRedisFleet,
  type RedisClient,
  type RedisFleetOptions,
  type StoreFleet,
} from "../../packages/doomloop/src/fleet/index.ts";
import { fleetKeys } from "../../packages/doomloop/src/fleet/redis/fleet-keys.ts";

/** The clients are installed for the store tests, not for the whole workspace. `npm run test:stores -- servers` installs them. */
const requireStore = createRequire(resolve(import.meta.dirname, "../../test/stores/package.json"));

export const clientNames: readonly ClientName[] = ["ioredis", "node-redis"];

const host = "127.0.0.1";

const TENANT = "bench";
export const KEYS = fleetKeys(TENANT);
export const WINDOW_MS = 300_000;

/** A fleet with a witness of its own, as if it were a process of its own. */
export function benchFleet(number: number, client: unknown, options: Partial<RedisFleetOptions> = {}): StoreFleet {
  const key = "a secret of the bench";
  return createRedisFleet({
    key,
    tenant: TENANT,
    witness: `process ${number}`,
    ...options,
    client,
  } as RedisFleetOptions);
}

/** A different fingerprint for each number below 2^30. */
export function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}

export type ClientName = "ioredis" | "node-redis";

/** Where a server listens on loopback. */
export interface Address {
  readonly port: number;
  /** @default false */
  readonly isTls?: boolean;
}

/** A connected client with its default settings. */
export interface StoreClient {
  readonly client: RedisClient;
  close(): void;
}

interface AnyClient extends EventEmitter {
  connect(): Promise<unknown>;
  disconnect(): void;
  destroy(): void;
}

async function openClient(name: ClientName, { port, isTls = false }: Address): Promise<StoreClient> {
  // The bench has made the certificate itself.
  const tls = { rejectUnauthorized: false, servername: "localhost" };
  if (name === "ioredis") {
    const { Redis } = requireStore("ioredis") as { Redis: new (options: object) => AnyClient };
    const client = new Redis({ host, port, ...(isTls ? { tls } : {}) });
    client.on("error", () => {});
    await once(client, "ready");
    return { client: client as never, close: () => client.disconnect() };
  }
  const { createClient } = requireStore("redis") as { createClient: (options: object) => AnyClient };
  const client = createClient({ socket: { host, port, ...(isTls ? { tls: true, ...tls } : {}) } });
  client.on("error", () => {});
  await client.connect();
  return { client: client as never, close: () => client.destroy() };
}

/** Opens many clients, a few at a time. */
export async function openClients(name: ClientName, address: Address, count: number): Promise<StoreClient[]> {
  const AT_ONCE = 50;
  const open: StoreClient[] = [];
  while (open.length < count) {
    const next = Math.min(AT_ONCE, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: next }, () => openClient(name, address)))));
  }
  return open;
}
