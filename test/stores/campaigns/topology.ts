import type { Fault } from "../fault-proxy/fault.ts";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import type { Engine } from "../servers/engine.ts";
import { type SentinelTrio, startSentinelTrio } from "../servers/sentinel.ts";
import { type Server, startServer } from "../servers/server.ts";

export type TopologyName = "standalone" | "sentinel" | "cluster";

/** Real servers, each behind a fault proxy of its own. */
export interface Topology {
  readonly name: TopologyName;
  readonly engine: Engine;
  /** The ones that hold data. */
  readonly servers: readonly Server[];
  /** From a server's own port to the port of its proxy: what clients translate addresses by. */
  readonly proxyPorts: ReadonlyMap<number, number>;
  readonly trio?: SentinelTrio;
  readonly cluster?: Cluster;
  /** For every connection to a server that holds data. */
  setFault(fault: Fault): Promise<void>;
  primaries(): Promise<readonly Server[]>;
  /** The one that has this key now. */
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
