import { type EventEmitter, once } from "node:events";
import type { RedisClient } from "doomloop/fleet";
import { Redis as Ioredis, Cluster as IoredisCluster } from "ioredis";
import { Redis as Iovalkey, Cluster as IovalkeyCluster } from "iovalkey";
import { createClient, createCluster, createSentinel } from "redis";

/** A connected client, and how to close it. */
export interface OpenClient {
  readonly client: RedisClient;
  close(): void | Promise<void>;
}

/** Creates a client with its defaults for each kind of store. */
export interface ClientFamily {
  readonly name: string;
  standalone(port: number): Promise<OpenClient>;
  /** A client that is still connecting. */
  connecting(port: number): Promise<OpenClient>;
  cluster(ports: readonly number[]): Promise<OpenClient>;
  sentinel(ports: readonly number[], name: string): Promise<OpenClient>;
}

const host = "127.0.0.1";
const nodesOf = (ports: readonly number[]) => ports.map((port) => ({ host, port }));
/** Without a listener, the first lost connection would end the process. */
const ignore = () => {};

export const clientFamilies: readonly ClientFamily[] = [
  {
    name: "ioredis",
    standalone: (port) => ready(new Ioredis({ host, port })),
    connecting: async (port) => opened(new Ioredis({ host, port })),
    cluster: (ports) => ready(new IoredisCluster(nodesOf(ports))),
    sentinel: (ports, name) => ready(new Ioredis({ sentinels: nodesOf(ports), name })),
  },
  {
    name: "iovalkey",
    standalone: (port) => ready(new Iovalkey({ host, port })),
    connecting: async (port) => opened(new Iovalkey({ host, port })),
    cluster: (ports) => ready(new IovalkeyCluster(nodesOf(ports))),
    sentinel: (ports, name) => ready(new Iovalkey({ sentinels: nodesOf(ports), name })),
  },
  {
    name: "node-redis",
    standalone: (port) => connected(createClient({ socket: { host, port } })),
    async connecting(port) {
      const client = createClient({ socket: { host, port } });
      client.on("error", ignore);
      client.connect().catch(ignore);
      return { client, close: () => client.destroy() };
    },
    cluster: (ports) => connected(createCluster({ rootNodes: nodesOf(ports).map((socket) => ({ socket })) })),
    sentinel: (ports, name) => connected(createSentinel({ name, sentinelRootNodes: nodesOf(ports) })),
  },
];

type AnyIoredis = Ioredis | IoredisCluster | Iovalkey | IovalkeyCluster;

function opened(client: AnyIoredis): OpenClient {
  const emitter: EventEmitter = client;
  emitter.on("error", ignore);
  return { client, close: () => client.disconnect() };
}

async function ready(client: AnyIoredis): Promise<OpenClient> {
  const open = opened(client);
  if (client.status !== "ready") await once(client as EventEmitter, "ready");
  return open;
}

async function connected(
  client: ReturnType<typeof createClient> | ReturnType<typeof createCluster> | ReturnType<typeof createSentinel>,
): Promise<OpenClient> {
  client.on("error", ignore);
  await client.connect();
  return { client, close: async () => void (await client.destroy()) };
}
