import { setTimeout as wait } from "node:timers/promises";
import { type Fault, faultModes } from "../fault-proxy/fault.ts";
import { freePorts, type Server } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { campaignSize } from "./campaign.ts";
import { TENANT } from "./campaign-fleet.ts";
import { floodMemory, garbage, policies } from "./foreign-data.ts";
import type { Topology, TopologyName } from "./topology.ts";

/** A fault of the servers while a swarm works. */
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
  /**
   * How long a connection may be silent before its client closes it.
   * @default for ever
   */
  readonly silenceMs?: number;
  /**
   * Whether replies are mistaken for those of other commands, which no network does.
   * @default false
   */
  readonly isGarbled?: boolean;
  /** Causes the fault, and returns when the servers are healthy again. */
  act(topology: Topology): Promise<void>;
}

/** Longer than a heartbeat. */
const untilReadMs = campaignSize({ short: 1500, full: 7000 });
/** Twice a heartbeat, so that no idle connection is closed. */
const silenceMs = campaignSize({ short: 1500, full: 12_000 });
const movedSlots = campaignSize({ short: 200, full: 2000 });
/** A key in the slot that all processes read. */
const control = `{${TENANT}}`;

const ask = ({ servers }: Topology, ...words: string[]) => servers[0]!.ask(...words);

async function killAndRestart({ servers }: Topology): Promise<void> {
  await servers[0]!.kill();
  await wait(1500);
  await servers[0]!.restart();
}

const pauseFor =
  (forMs: number) =>
  async ({ servers }: Topology): Promise<void> => {
    servers[0]!.pause();
    await wait(forMs);
    servers[0]!.resume();
  };

/** Both orders, a second apart. */
const forASecond =
  (begin: readonly string[], end: readonly string[]) =>
  async (topology: Topology): Promise<void> => {
    await ask(topology, ...begin);
    await wait(1000);
    await ask(topology, ...end);
  };

const inServers: readonly Drill[] = [
  { title: "nothing", topology: "standalone", act: () => wait(1000) },
  { title: "kill -9, restarted, nothing kept on disk", topology: "standalone", act: killAndRestart },
  {
    title: "kill -9, restarted, append-only file written every second",
    topology: "standalone",
    settings: ["appendonly yes", "appendfsync everysec"],
    act: killAndRestart,
  },
  { title: "SIGSTOP for 1 s", topology: "standalone", act: pauseFor(1000) },
  { title: "SIGSTOP for 5 s", topology: "standalone", act: pauseFor(5000) },
  { title: "SIGSTOP for 30 s", topology: "standalone", isLong: true, act: pauseFor(30_000) },
  { title: "FLUSHALL", topology: "standalone", act: async (topology) => void (await ask(topology, "FLUSHALL")) },
  {
    title: "READONLY for a second",
    topology: "standalone",
    async act(topology) {
      const [nobody] = await freePorts(1);
      await forASecond(["REPLICAOF", "127.0.0.1", String(nobody)], ["REPLICAOF", "NO", "ONE"])(topology);
    },
  },
  {
    title: "writing denied by ACL for a second",
    topology: "standalone",
    act: forASecond(
      ["ACL", "SETUSER", "default", "-pfadd", "-xadd", "-incrby"],
      ["ACL", "SETUSER", "default", "+@all"],
    ),
  },
  {
    title: "everything denied by ACL for a second",
    topology: "standalone",
    act: forASecond(["ACL", "SETUSER", "default", "-@all", "+acl"], ["ACL", "SETUSER", "default", "+@all"]),
  },
  {
    title: "busy with a script for two seconds",
    topology: "standalone",
    settings: ["lua-time-limit 100"],
    async act(topology) {
      const script = ask(topology, "EVAL", "while true do end", "0").catch(() => {});
      await wait(2000);
      await until("the script is over", async () => (await ask(topology, "SCRIPT", "KILL")) === "OK");
      await script;
    },
  },
];

const failovers: readonly Drill[] = [
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
    title: "SIGSTOP of the primary for 4 s",
    topology: "sentinel",
    async act({ trio }) {
      const primary = await trio!.primary();
      primary.pause();
      await wait(4000);
      primary.resume();
      await until("another primary", async () => (await trio!.primary()) !== primary);
    },
  },
  {
    title: "failover by order",
    topology: "sentinel",
    isLong: true,
    async act({ trio }) {
      const before = await trio!.primary();
      await trio!.failOver();
      // Until then, it takes reports that will be lost. Sentinels need some time for that.
      await until("the old primary is a replica", async () => (await before.ask("ROLE")).startsWith("slave"));
    },
  },
  {
    title: "kill -9 of the primary that has the news",
    topology: "cluster",
    async act({ cluster }) {
      const primary = await cluster!.ownerOf(control);
      await primary.kill();
      await until("another primary", async () => (await cluster!.ownerOf(control)) !== primary);
      await cluster!.settled();
    },
  },
  {
    title: "failover by order",
    topology: "cluster",
    isLong: true,
    async act({ cluster }) {
      const primary = await cluster!.ownerOf(control);
      const replica = await replicaOf(cluster!.servers, primary.port);
      await replica.ask("CLUSTER", "FAILOVER");
      await until("another primary", async () => (await cluster!.ownerOf(control)) !== primary);
      await cluster!.settled();
    },
  },
  {
    title: `${movedSlots} slots moved under load, the news among them`,
    topology: "cluster",
    act: ({ cluster }) => cluster!.reshard(control, movedSlots),
  },
];

const inNetworks: readonly Drill[] = Object.entries(faultModes)
  .filter(([mode]) => mode !== "pass")
  .flatMap(([mode, fault]) =>
    (["standalone", "sentinel", "cluster"] as const).map((topology) => ({
      title: `network: ${mode} for two seconds`,
      topology,
      isLong: topology !== "standalone" || mode.startsWith("delay"),
      ...(isSilent(fault) && { silenceMs }),
      isGarbled: fault.kind === "drop-bytes",
      async act({ setFault }: Topology) {
        await setFault(fault);
        await wait(2000);
        // Replies stay out of step as long as the connection lasts.
        if (fault.kind === "drop-bytes") await setFault({ kind: "refuse" });
        await setFault({ kind: "pass" });
      },
    })),
  );

const inMemory: readonly Drill[] = policies.map(({ policy, isLong }) => ({
  title: `out of memory for two seconds, ${policy}, another tenant floods`,
  topology: "standalone",
  isLong,
  act: ({ servers }) => floodMemory(servers[0]!, policy, 2000),
}));

const inData: readonly Drill[] = garbage.map(({ title, write }) => ({
  title,
  topology: "standalone",
  async act({ servers }) {
    await write(servers[0]!);
    await wait(untilReadMs);
  },
}));

/** Connections stay dead after such a fault, like those that a router has forgotten, so a test must close them. */
function isSilent({ kind }: Fault): boolean {
  return kind === "blackhole" || kind === "half-open";
}

export const drills: readonly Drill[] = [...inServers, ...failovers, ...inMemory, ...inData, ...inNetworks];

async function replicaOf(servers: readonly Server[], primaryPort: number): Promise<Server> {
  for (const server of servers) {
    const replication = await server.ask("INFO", "replication");
    if (/role:slave/.test(replication) && replication.includes(`master_port:${primaryPort}\r`)) return server;
  }
  throw new Error(`nobody replicates ${primaryPort}`);
}
