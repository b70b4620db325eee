import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { PRIMARY, type StorePlace } from "./clients.ts";
import { type Engine, freePorts, type Server, startAll, startServer, stopAll } from "./server.ts";
import { until } from "./until.ts";

export interface Store extends StorePlace {
  /** The server to kill. It is a primary. */
  readonly victim: Server;
  stop(): Promise<void>;
}

const portsOf = (servers: readonly Server[]): number[] => servers.map(({ port }) => port);

/** A single server, a Cluster of three, and a primary that sentinels watch. */
export const stores: Record<StorePlace["kind"], (engine: Engine) => Promise<Store>> = {
  async server(engine) {
    const server = await startServer(engine);
    return { kind: "server", ports: [server.port], victim: server, stop: server.stop };
  },
  cluster: startCluster,
  sentinel: startSentinels,
};

/** Three primaries with a replica each. */
async function startCluster(engine: Engine): Promise<Store> {
  const ports = await freePorts(12);
  const timing = ["cluster-enabled yes", "cluster-node-timeout 1000", "cluster-replica-validity-factor 0"];
  const servers = await startAll(
    ports.slice(0, 6).map((port, at) => {
      return startServer(engine, { port, settings: [...timing, `cluster-port ${ports[6 + at]}`] });
    }),
  );
  const asked = async (...words: string[]) => Promise.all(servers.map((server) => server.ask(...words)));
  return orStopped(servers, async () => {
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    const words = ["--cluster", "create", ...addresses, "--cluster-replicas", "1", "--cluster-yes"];
    await promisify(execFile)(`${engine}-cli`, words, { timeout: 300_000 });
    await until("every slot of the cluster is served", async () =>
      (await asked("CLUSTER", "INFO")).every((text) => /state:ok[\s\S]*slots_ok:16384/.test(text)),
    );
    await until("each primary of the cluster has a replica that is up to date", async () => {
      return (await asked("INFO", "replication")).filter((text) => /master_link_status:up/.test(text)).length === 3;
    });
    return { kind: "cluster", ports: portsOf(servers), victim: servers[0]!, stop: () => stopAll(servers) };
  });
}

/** A primary with a replica, watched by three sentinels. They replace a primary that is silent for half a second. */
async function startSentinels(engine: Engine): Promise<Store> {
  const primary = await startServer(engine);
  const started = [primary];
  return orStopped(started, async () => {
    const replica = await startServer(engine, { settings: [`replicaof 127.0.0.1 ${primary.port}`] });
    started.push(replica);
    const watch = [
      `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary.port} 2`,
      `sentinel down-after-milliseconds ${PRIMARY} 500`,
      `sentinel failover-timeout ${PRIMARY} 2000`,
    ];
    const linked = async () => /master_link_status:up/.test(await replica.ask("INFO", "replication"));
    await until("the replica is up to date", linked);
    const sentinels = await startAll([0, 1, 2].map(() => startServer(engine, { isSentinel: true, settings: watch })));
    started.push(...sentinels);
    await until("the sentinels know one another and the replica", async () => {
      const known = await Promise.all(sentinels.map((sentinel) => sentinel.ask("INFO", "sentinel")));
      return known.every((text) => /status=ok,address=[\d.:]+,slaves=1,sentinels=3/.test(text));
    });
    return { kind: "sentinel", ports: portsOf(sentinels), victim: primary, stop: () => stopAll(started) };
  });
}

async function orStopped(servers: readonly Server[], start: () => Promise<Store>): Promise<Store> {
  try {
    return await start();
  } catch (error) {
    await stopAll(servers);
    throw error;
  }
}
