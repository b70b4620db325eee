import type { RedisClient } from "doomloop/fleet";
import { Cluster, Redis } from "ioredis";
import { Redis as Valkey, Cluster as ValkeyCluster } from "iovalkey";
import { createClient, createCluster, createSentinel } from "redis";

export const CLIENTS = ["ioredis", "iovalkey", "redis"] as const;

/** Where a store is: the ports of its servers, or of its sentinels, on loopback. */
export interface StorePlace {
  readonly kind: "server" | "cluster" | "sentinel";
  readonly ports: readonly number[];
}

/** A client as users create it, with its defaults, and how to close it. It may still be connecting. */
export interface OpenClient {
  readonly client: RedisClient;
  close(): unknown;
}

/** The sentinels' name of the primary. */
export const PRIMARY = "fleet";
const host = "127.0.0.1";

export function openClient(name: (typeof CLIENTS)[number], { kind, ports }: StorePlace): OpenClient {
  const nodes = ports.map((port) => ({ host, port }));
  const [server] = nodes;
  if (name !== "redis") {
    const [Single, Several] =
      name === "ioredis"
        ? [Redis, Cluster]
        : [Valkey as never as typeof Redis, ValkeyCluster as never as typeof Cluster];
    const single = kind === "sentinel" ? { sentinels: nodes, name: PRIMARY } : server!;
    const client = kind === "cluster" ? new Several(nodes) : new Single(single);
    client.on("error", () => {});
    return { client, close: () => client.disconnect() };
  }
  const rootNodes = nodes.map((socket) => ({ socket }));
  const client =
    kind === "cluster"
      ? createCluster({ rootNodes })
      : kind === "sentinel"
        ? createSentinel({ name: PRIMARY, sentinelRootNodes: nodes })
        : createClient({ socket: server! });
  client.on("error", () => {});
  client.connect().catch(() => {});
  return { client, close: () => client.destroy() };
}
