import { setTimeout as wait } from "node:timers/promises";
import { freePorts } from "../servers/free-ports.ts";
import { until } from "../servers/until.ts";
import type { Topology, TopologyName } from "./topology.ts";

/** Something that happens to servers while a swarm works. */
export interface Drill {
  readonly title: string;
  readonly topology: TopologyName;
  /** @default [] */
  readonly settings?: readonly string[];
  /**
   * Takes too long for a short campaign.
   * @default false
   */
  readonly isLong?: boolean;
  /** Does it, and returns when the servers are as they should be again. */
  act(topology: Topology): Promise<void>;
}

const pauseMs = 1_000;

async function only({ servers }: Topology, ...words: string[]): Promise<void> {
  await servers[0]!.ask(...words);
}

async function killAndRestart({ servers }: Topology): Promise<void> {
  await servers[0]!.kill();
  await wait(pauseMs / 2);
  await servers[0]!.restart();
}

/** Until the old primary is a replica: before, it takes writes that nobody will see. Sentinels take their time for that. */
async function failOverCompletely({ trio }: Topology): Promise<void> {
  const before = await trio!.primary();
  await trio!.failOver();
  // It has no replica yet, which must not keep it from its work.
  await (await trio!.primary()).ask("CONFIG", "SET", "min-replicas-to-write", "0");
  const isReplica = async () => (await before.ask("ROLE")).startsWith("slave");
  await until("the old primary is a replica", isReplica);
}

/** The key of the first shard that has anything is as good as any other: each primary has some. */
const anyShard = "{campaign:0}";

export const drills: readonly Drill[] = [
  { title: "kill -9, restarted, nothing kept on disk", topology: "standalone", act: killAndRestart },
  {
    title: "kill -9, restarted, append-only file written every second",
    topology: "standalone",
    settings: ["appendonly yes", "appendfsync everysec"],
    act: killAndRestart,
  },
  {
    title: "kill -9 of the primary",
    topology: "sentinel",
    async act({ trio }) {
      const primary = await trio!.primary();
      await primary.kill();
      await until("another primary", async () => (await trio!.primary()) !== primary);
    },
  },
  {
    title: "kill -9 of a primary",
    topology: "cluster",
    async act({ cluster }) {
      const primary = await cluster!.ownerOf(anyShard);
      await primary.kill();
      await until("another primary", async () => (await cluster!.ownerOf(anyShard)) !== primary);
      await cluster!.settled();
    },
  },
  {
    title: "SIGSTOP for two seconds",
    topology: "standalone",
    async act({ servers }) {
      servers[0]!.pause();
      await wait(2 * pauseMs);
      servers[0]!.resume();
    },
  },
  {
    title: "SIGSTOP of the primary for four seconds",
    topology: "sentinel",
    async act({ trio }) {
      const primary = await trio!.primary();
      primary.pause();
      await wait(4 * pauseMs);
      primary.resume();
      await until("another primary", async () => (await trio!.primary()) !== primary);
    },
  },
  { title: "failover by order", topology: "sentinel", isLong: true, act: failOverCompletely },
  {
    title: "failover by order, min-replicas-to-write 1",
    topology: "sentinel",
    settings: ["min-replicas-to-write 1", "min-replicas-max-lag 1"],
    isLong: true,
    act: failOverCompletely,
  },
  {
    title: "failover by order",
    topology: "cluster",
    async act({ cluster }) {
      const primary = await cluster!.ownerOf(anyShard);
      const replica = await replicaOf(cluster!.servers, primary.port);
      await replica.ask("CLUSTER", "FAILOVER");
      await until("another primary", async () => (await cluster!.ownerOf(anyShard)) !== primary);
      await cluster!.settled();
    },
  },
  {
    title: "2,000 slots moved under load",
    topology: "cluster",
    act: ({ cluster }) => cluster!.reshard(anyShard, 2_000),
  },
  {
    title: "SCRIPT FLUSH every 20 ms for a second",
    topology: "standalone",
    async act(topology) {
      for (const end = performance.now() + pauseMs; performance.now() < end; await wait(20)) {
        await only(topology, "SCRIPT", "FLUSH");
      }
    },
  },
  { title: "FLUSHALL", topology: "standalone", act: (topology) => only(topology, "FLUSHALL") },
  {
    title: "no memory left for a second",
    topology: "standalone",
    async act(topology) {
      await only(topology, "CONFIG", "SET", "maxmemory", "1");
      await wait(pauseMs);
      await only(topology, "CONFIG", "SET", "maxmemory", "0");
    },
  },
  {
    title: "READONLY for a second",
    topology: "standalone",
    async act(topology) {
      const [nobody] = await freePorts(1);
      await only(topology, "REPLICAOF", "127.0.0.1", String(nobody));
      await wait(pauseMs);
      await only(topology, "REPLICAOF", "NO", "ONE");
    },
  },
  {
    title: "scripts denied by ACL for a second",
    topology: "standalone",
    async act(topology) {
      await only(topology, "ACL", "SETUSER", "default", "-eval", "-evalsha");
      await wait(pauseMs);
      await only(topology, "ACL", "SETUSER", "default", "+@all");
    },
  },
];

async function replicaOf(servers: Topology["servers"], primaryPort: number) {
  for (const server of servers) {
    const replication = await server.ask("INFO", "replication");
    if (/role:slave/.test(replication) && replication.includes(`master_port:${primaryPort}\r`)) return server;
  }
  throw new Error(`nobody replicates ${primaryPort}`);
}
