import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";
import { Redis as Ioredis, Cluster as IoredisCluster } from "ioredis";
import { Redis as Iovalkey, Cluster as IovalkeyCluster } from "iovalkey";
import { createClient, createCluster, createSentinel } from "redis";
import type { Topology } from "./topology.ts";

// It says on the console what the campaigns cause on purpose.
Logger.setLoggerConfig("off");

export const clientNames = ["ioredis", "iovalkey", "node-redis", "valkey-glide"] as const;
export type ClientName = (typeof clientNames)[number];

/** A client as a user makes it, through the proxies, and how to end it. */
export interface Connection {
  readonly client: unknown;
  /** For one that makes no copies by itself. */
  readonly copyClient?: () => Promise<unknown>;
  close(): void;
}

const host = "127.0.0.1";

const connectors: Record<ClientName, (topology: Topology) => Promise<Connection>> = {
  ioredis: (topology) => connectIoredis(topology, { Redis: Ioredis, Cluster: IoredisCluster }),
  // The same in all that is used here.
  iovalkey: (topology) => connectIoredis(topology, { Redis: Iovalkey, Cluster: IovalkeyCluster } as never),
  "node-redis": connectNodeRedis,
  "valkey-glide": connectGlide,
};

/** Connects a client with the settings it comes with: what it does in a fault is part of the campaign. */
export function connect(topology: Topology, name: ClientName, { isDirect = false } = {}): Promise<Connection> {
  const ports = new Map(topology.servers.map(({ port }) => [port, port]));
  return connectors[name](isDirect ? { ...topology, proxyPorts: ports } : topology);
}

interface IoredisPackage {
  readonly Redis: typeof Ioredis;
  readonly Cluster: typeof IoredisCluster;
}

async function connectIoredis(topology: Topology, made: IoredisPackage): Promise<Connection> {
  const client = makeIoredis(topology, made);
  client.on("error", () => {});
  await new Promise((resolve) => client.once("ready", resolve));
  return { client, close: () => client.disconnect() };
}

function makeIoredis(topology: Topology, { Redis, Cluster }: IoredisPackage): Ioredis | IoredisCluster {
  const { name, trio } = topology;
  const natMap = addressMap(topology);
  if (name === "sentinel") {
    return new Redis({ sentinels: trio!.sentinels.map(({ port }) => ({ host, port })), name: trio!.name, natMap });
  }
  if (name === "cluster") return new Cluster(proxies(topology).slice(0, 3), { natMap });
  return new Redis(proxies(topology)[0]!);
}

async function connectNodeRedis(topology: Topology): Promise<Connection> {
  const client = makeNodeRedis(topology);
  client.on("error", () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
}

function makeNodeRedis(topology: Topology) {
  const { name, trio } = topology;
  const nodeAddressMap = addressMap(topology);
  if (name === "sentinel") {
    const sentinelRootNodes = trio!.sentinels.map(({ port }) => ({ host, port }));
    return createSentinel({ name: trio!.name, sentinelRootNodes, nodeAddressMap });
  }
  if (name === "cluster") {
    const rootNodes = proxies(topology)
      .slice(0, 3)
      .map((socket) => ({ socket }));
    return createCluster({ rootNodes, nodeAddressMap });
  }
  return createClient({ socket: proxies(topology)[0]! });
}

/** It does not speak to sentinels: given the addresses of both servers, it finds the primary itself. */
async function connectGlide(topology: Topology): Promise<Connection> {
  const { name, proxyPorts } = topology;
  const addresses = proxies(topology);
  const addressResolver = (of: string, port: number): [string, number] => [of, proxyPorts.get(port) ?? port];
  const make = () =>
    name === "cluster"
      ? GlideClusterClient.createClient({ addresses: addresses.slice(0, 3), addressResolver })
      : GlideClient.createClient({ addresses });
  const client = await make();
  return { client, copyClient: make, close: () => client.close() };
}

/** Where clients connect, in the order of the servers. */
function proxies({ servers, proxyPorts }: Topology): { host: string; port: number }[] {
  return servers.map(({ port }) => ({ host, port: proxyPorts.get(port)! }));
}

function addressMap({ proxyPorts }: Topology): Record<string, { host: string; port: number }> {
  return Object.fromEntries([...proxyPorts].map(([port, proxy]) => [`${host}:${port}`, { host, port: proxy }]));
}
