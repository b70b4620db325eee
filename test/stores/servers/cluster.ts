import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Engine, freePorts, type Server, startAll, startServer, stopAll } from "./server.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

export interface Cluster {
  readonly engine: Engine;
  /** Three primaries first, then their replicas. A failover may change the roles. */
  readonly servers: readonly Server[];
  /** The current primaries. */
  primaries(): Promise<Server[]>;
  /** The primary that holds the slot of this key. */
  ownerOf(key: string): Promise<Server>;
  /** Moves slots from the primary that has this key to another one, and waits until that is done. */
  reshard(key: string, slots: number): Promise<void>;
  /** Resolves when every slot is served and every node agrees. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Six nodes on loopback: three primaries with a replica each. */
export async function startCluster(engine: Engine, settings: readonly string[] = []): Promise<Cluster> {
  const ports = await freePorts(12);
  const starts = ports.slice(0, 6).map((port, at) => {
    const own = [
      "cluster-enabled yes",
      "cluster-node-timeout 1000",
      `cluster-port ${ports[6 + at]}`,
      "cluster-replica-validity-factor 0",
    ];
    return startServer(engine, { port, settings: [...own, ...settings] });
  });
  const servers = await startAll(starts);
  const manage = (...words: string[]) => run(`${engine}-cli`, ["--cluster", ...words], { timeout: 300_000 });
  const roleOf = async (server: Server) => (await server.ask("ROLE").catch(() => "")).split("\n")[0];

  const settled = () =>
    until("every slot of the cluster is served", async () => {
      const answers = await Promise.all(servers.map((server) => server.ask("CLUSTER", "INFO").catch(() => "gone")));
      const running = answers.filter((answer) => answer !== "gone");
      return (
        running.length >= 3 &&
        running.every((answer) => /cluster_state:ok/.test(answer) && /cluster_slots_ok:16384/.test(answer))
      );
    });
  const primaries = async () => {
    const roles = await Promise.all(servers.map(roleOf));
    return servers.filter((_, at) => roles[at] === "master");
  };
  const ownerOf = async (key: string) => {
    const [asked] = await primaries();
    const slot = Number(await asked!.ask("CLUSTER", "KEYSLOT", key));
    const nodes = await asked!.ask("CLUSTER", "NODES");
    const line = nodes.split("\n").find((node) => servesSlot(node, slot));
    const port = Number(/:(\d+)@/.exec(line ?? "")?.[1]);
    const owner = servers.find((server) => server.port === port);
    if (owner === undefined) throw new Error(`cluster: nobody has slot ${slot}`);
    return owner;
  };

  try {
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
    await manage("create", ...addresses, "--cluster-replicas", "1", "--cluster-yes");
    await settled();
    await until("each primary of the cluster has a replica that is up to date", async () => {
      const replication = await Promise.all(servers.map((server) => server.ask("INFO", "replication")));
      return replication.filter((text) => /master_link_status:up/.test(text)).length === 3;
    });
  } catch (error) {
    await stopAll(servers);
    throw error;
  }

  return {
    engine,
    servers,
    primaries,
    ownerOf,
    async reshard(key, slots) {
      const from = await ownerOf(key);
      const to = (await primaries()).find(({ port }) => port !== from.port)!;
      const ids = await Promise.all([from, to].map((server) => server.ask("CLUSTER", "MYID")));
      const words = ["--cluster-from", ids[0]!, "--cluster-to", ids[1]!, "--cluster-slots", String(slots)];
      await manage("reshard", `127.0.0.1:${from.port}`, ...words, "--cluster-yes");
      await settled();
    },
    settled,
    stop: () => stopAll(servers),
  };
}

/** Whether a line of CLUSTER NODES names a primary that has the slot. */
function servesSlot(line: string, slot: number): boolean {
  const [, , flags = "", , , , , , ...ranges] = line.trim().split(" ");
  if (!flags.includes("master") || flags.includes("fail")) return false;
  return ranges.some((range) => {
    const [first, last = first] = range.split("-").map(Number);
    return first !== undefined && slot >= first && slot <= last!;
  });
}
