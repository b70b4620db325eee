import { Cluster, Redis } from "ioredis";
import { createClient, createCluster, createSentinel } from "redis";
import type { Topology } from "./topology.ts";

export type ClientName = "ioredis" | "node-redis";

/** A client as a user makes it, through the proxies, and how to end it. */
export interface Connection {
  readonly client: unknown;
  close(): void;
}

const host = "127.0.0.1";

/** Connects a client with the settings it comes with: what it does in a fault is part of the campaign. */
export function connect(topology: Topology, name: ClientName, { isDirect = false } = {}): Promise<Connection> {
  const ports = new Map(topology.servers.map(({ port }) => [port, port]));
  const seen = isDirect ? { ...topology, proxyPorts: ports } : topology;
  return name === "ioredis" ? connectIoredis(seen) : connectNodeRedis(seen);
}

async function connectIoredis(topology: Topology): Promise<Connection> {
  const natMap = addressMap(topology);
  const client = makeIoredis(topology, natMap);
  client.on("error", () => {});
  await new Promise((resolve) => client.once("ready", resolve));
  return { client, close: () => client.disconnect() };
}

function makeIoredis({ name, servers, proxyPorts, trio }: Topology, natMap: ReturnType<typeof addressMap>) {
  if (name === "sentinel") {
    return new Redis({ sentinels: trio!.sentinels.map(({ port }) => ({ host, port })), name: trio!.name, natMap });
  }
  if (name === "cluster") {
    return new Cluster(
      servers.slice(0, 3).map(({ port }) => ({ host, port: proxyPorts.get(port)! })),
      { natMap },
    );
  }
  return new Redis({ host, port: proxyPorts.get(servers[0]!.port)! });
}

async function connectNodeRedis(topology: Topology): Promise<Connection> {
  const client = makeNodeRedis(topology, addressMap(topology));
  client.on("error", () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
}

function makeNodeRedis({ name, servers, proxyPorts, trio }: Topology, nodeAddressMap: ReturnType<typeof addressMap>) {
  if (name === "sentinel") {
    const sentinelRootNodes = trio!.sentinels.map(({ port }) => ({ host, port }));
    return createSentinel({ name: trio!.name, sentinelRootNodes, nodeAddressMap });
  }
  if (name === "cluster") {
    const rootNodes = servers.slice(0, 3).map(({ port }) => ({ socket: { host, port: proxyPorts.get(port)! } }));
    return createCluster({ rootNodes, nodeAddressMap });
  }
  return createClient({ socket: { host, port: proxyPorts.get(servers[0]!.port)! } });
}

function addressMap({ proxyPorts }: Topology): Record<string, { host: string; port: number }> {
  return Object.fromEntries([...proxyPorts].map(([port, proxy]) => [`${host}:${port}`, { host, port: proxy }]));
}
