import type { Fault } from "../fault-proxy/fault.ts";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import { type SentinelTrio, startSentinelTrio } from "../servers/sentinel.ts";
import { type Engine, type Server, startServer } from "../servers/server.ts";

export type TopologyName = "standalone" | "sentinel" | "cluster";

/** Real servers, each behind its own fault proxy. */
export interface Topology {
  readonly name: TopologyName;
  readonly engine: Engine;
  /** The servers with data. */
  readonly servers: readonly Server[];
  /** Maps a server's own port to the port of its proxy, for clients that translate addresses. */
  readonly proxyPorts: ReadonlyMap<number, number>;
  readonly trio?: SentinelTrio;
  readonly cluster?: Cluster;
  /** Sets the fault for every connection to a server with data. */
  setFault(fault: Fault): Promise<void>;
  primaries(): Promise<readonly Server[]>;
  /** The server that has this key now. */
  ownerOf(key: string): Promise<Server>;
  stop(): Promise<void>;
}

export async function startTopology(
  engine: Engine,
  name: TopologyName,
  settings: readonly string[] = [],
): Promise<Topology> {
  const started = await start(engine, name, settings);
  const proxies: FaultProxy[] = [];
  for (const { port } of started.servers) proxies.push(await startFaultProxy(port));
  return {
    name,
    engine,
    ...started,
    proxyPorts: new Map(started.servers.map(({ port }, at) => [port, proxies[at]!.port])),
    async setFault(fault) {
      await Promise.all(proxies.map((proxy) => proxy.setFault(fault)));
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await started.stop();
    },
  };
}

type Started = Pick<Topology, "servers" | "trio" | "cluster" | "primaries" | "ownerOf" | "stop">;

async function start(engine: Engine, name: TopologyName, settings: readonly string[]): Promise<Started> {
  if (name === "standalone") {
    const server = await startServer(engine, { settings });
    const primaries = async () => [server];
    return { servers: [server], primaries, ownerOf: async () => server, stop: () => server.stop() };
  }
  if (name === "sentinel") {
    const trio = await startSentinelTrio(engine, settings);
    const { servers, primary } = trio;
    return { servers, trio, primaries: async () => [await primary()], ownerOf: primary, stop: () => trio.stop() };
  }
  const cluster = await startCluster(engine, settings);
  const { servers, primaries, ownerOf } = cluster;
  return { servers, cluster, primaries, ownerOf, stop: () => cluster.stop() };
}
