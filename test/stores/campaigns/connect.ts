import type { RedisClient } from "doomloop/fleet";
import { Cluster, Redis } from "ioredis";
import { createClient, createCluster, createSentinel } from "redis";
import type { TopologyName } from "./topology.ts";

export type ClientName = "ioredis" | "node-redis";

interface ConnectOptions {
  /** How long a connection may be silent before the client closes it. By default, clients leave that to the system. */
  readonly silenceMs?: number | undefined;
}

/** A client as users create it, and how to close it. */
export interface Connection {
  readonly client: RedisClient;
  /** Resolves when the client has found its servers. */
  readonly connected: Promise<unknown>;
  close(): void;
}

/** What a client needs to know to find its servers. */
export interface Addresses {
  readonly name: TopologyName;
  readonly servers: readonly { readonly port: number }[];
  readonly proxyPorts: ReadonlyMap<number, number>;
  readonly trio?: { readonly name: string; readonly sentinels: readonly { readonly port: number }[] };
}

const host = "127.0.0.1";

/** Starts to connect through the proxies, with the client's default settings, because its behaviour in a fault is part of the campaign. */
export function connect(addresses: Addresses, name: ClientName, { silenceMs }: ConnectOptions = {}): Connection {
  if (name === "ioredis") {
    const client = makeIoredis(addresses, silenceMs);
    client.on("error", () => {});
    // It keeps trying after an error, which a slow machine can cause, too.
    const connected = new Promise((resolve) => client.once("ready", resolve));
    return { client, connected, close: () => client.disconnect() };
  }
  const client = makeNodeRedis(addresses, silenceMs);
  client.on("error", () => {});
  return { client, connected: client.connect(), close: () => void client.destroy() };
}

function makeIoredis(addresses: Addresses, silenceMs: number | undefined): Redis | Cluster {
  const { name, trio } = addresses;
  const natMap = addressMap(addresses);
  const options = silenceMs === undefined ? {} : { socketTimeout: silenceMs };
  if (name === "sentinel") {
    return new Redis({
      sentinels: trio!.sentinels.map(({ port }) => ({ host, port })),
      name: trio!.name,
      natMap,
      ...options,
    });
  }
  if (name === "cluster") return new Cluster(proxies(addresses).slice(0, 3), { natMap, redisOptions: options });
  return new Redis({ ...proxies(addresses)[0]!, ...options });
}

function makeNodeRedis(addresses: Addresses, silenceMs: number | undefined) {
  const { name, trio } = addresses;
  const nodeAddressMap = addressMap(addresses);
  // Without this, it does not recover from a silent connection.
  const reconnectStrategy = (retries: number) => Math.min(50 * retries, 2000);
  const options = silenceMs === undefined ? {} : { socketTimeout: silenceMs, reconnectStrategy };
  if (name === "sentinel") {
    const sentinelRootNodes = trio!.sentinels.map(({ port }) => ({ host, port }));
    return createSentinel({
      name: trio!.name,
      sentinelRootNodes,
      nodeAddressMap,
      nodeClientOptions: { socket: options },
    });
  }
  if (name === "cluster") {
    const roots = proxies(addresses).slice(0, 3);
    return createCluster({
      rootNodes: roots.map((socket) => ({ socket })),
      nodeAddressMap,
      defaults: { socket: options },
    });
  }
  return createClient({ socket: { ...proxies(addresses)[0]!, ...options } });
}

/** The addresses for clients, in the order of the servers. */
function proxies({ servers, proxyPorts }: Addresses): { host: string; port: number }[] {
  return servers.map(({ port }) => ({ host, port: proxyPorts.get(port)! }));
}

function addressMap({ proxyPorts }: Addresses): Record<string, { host: string; port: number }> {
  return Object.fromEntries([...proxyPorts].map(([port, proxy]) => [`${host}:${port}`, { host, port: proxy }]));
}
