import { type EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { RedisClient } from "../../packages/doomloop/src/fleet/index.ts";

/** The clients are installed for the tests of stores, not for the workspace: `npm run test:stores -- servers` does it. */
const requireStore = createRequire(resolve(import.meta.dirname, "../../test/stores/package.json"));

export type ClientName = "ioredis" | "node-redis";

export const clientNames: readonly ClientName[] = ["ioredis", "node-redis"];

/** Where a server listens on loopback. */
export interface Address {
  readonly port: number;
  /** @default false */
  readonly isTls?: boolean;
}

/** A client that is connected, with the settings it comes with, and how to end it. */
export interface StoreClient {
  readonly client: RedisClient;
  close(): void;
}

interface AnyClient extends EventEmitter {
  connect(): Promise<unknown>;
  disconnect(): void;
  destroy(): void;
}

const host = "127.0.0.1";

export async function openClient(name: ClientName, { port, isTls = false }: Address): Promise<StoreClient> {
  // The certificate is one that the bench has made for itself.
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

/** Opens many, so many at a time. */
export async function openClients(name: ClientName, address: Address, count: number): Promise<StoreClient[]> {
  const AT_ONCE = 50;
  const open: StoreClient[] = [];
  while (open.length < count) {
    const next = Math.min(AT_ONCE, count - open.length);
    open.push(...(await Promise.all(Array.from({ length: next }, () => openClient(name, address)))));
  }
  return open;
}
