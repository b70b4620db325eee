import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRedisFleet } from "../../packages/doomloop/src/fleet/index.ts";
import { redisStore } from "../../packages/doomloop/src/fleet/redis-fleet.ts";
import { openClient, type StorePlace } from "../../test/stores/servers/clients.ts";
import { type Engine, engines, isInstalled, type Server, startServer } from "../../test/stores/servers/server.ts";
import { stores } from "../../test/stores/servers/stores.ts";
import { until } from "../../test/stores/servers/until.ts";
import { dead, honest, startSwarm } from "../../test/stores/swarm/swarm.ts";

/**
 * What a fleet does on a real server, and what that costs: `npm run bench fleet`, after `npm run test:stores` has installed the clients.
 *
 * Lets a swarm of processes work on a single server, on a Cluster of three and through Sentinel, and kills the server under it. Then
 * measures what each operation costs the server. `--connections 10000` opens as many real ones, and kills the server under these, too.
 * `--check` fails if a goal is missed.
 */
const { values: asked } = parseArgs({
  args: process.argv[2] === "load" ? [] : process.argv.slice(2),
  options: {
    engine: { type: "string", default: "valkey" },
    only: { type: "string" },
    processes: { type: "string", default: "20" },
    seconds: { type: "string", default: "60" },
    connections: { type: "string" },
    check: { type: "boolean" },
  },
});
const GOALS = { falseWarnings: 0, toldMs: 10_000, clearedMs: 5_000, stopped: 0, addedMs: 5 };
const AWAY_MS = 10_000;
/** Clients have connected again, and have looked at the list. */
const SETTLE_MS = 8_000;

const titles = { server: "one server", cluster: "Cluster of three", sentinel: "Sentinel" } as const;

interface SwarmFigures {
  readonly title: string;
  readonly calls: number;
  readonly falseWarnings: number;
  readonly toldMs: number;
  readonly clearedMs: number;
  readonly stopped: number;
  /** The median call, and the slowest in a hundred. */
  readonly addedMs: readonly [number, number];
}

/** Honest work, a dead page, and the page again when it works. Then the same while the server is killed, and comes back. */
async function measureSwarm(kind: StorePlace["kind"], engine: Engine): Promise<SwarmFigures[]> {
  const { victim, stop, ...place } = await stores[kind](engine);
  const swarm = await startSwarm(Number(asked.processes), "ioredis", place);
  const figures: SwarmFigures[] = [];
  try {
    for (const isKilled of [false, true]) {
      const before = swarm.told.length;
      swarm.work(honest, 50);
      await wait((Number(asked.seconds) * 1000) / 2);
      if (isKilled) await killFor(victim, AWAY_MS);
      await wait((Number(asked.seconds) * 1000) / 2);
      const { calls, stopped, addedMs } = await swarm.rest();
      const falseWarnings = swarm.told.length - before;
      if (isKilled) await wait(SETTLE_MS);
      const page = dead(isKilled ? 2 : 1);
      const toldMs = await swarm.timeUntilTold(page);
      const clearedMs = await swarm.timeUntilCleared(page);
      const title = isKilled ? `${titles[kind]}, killed for ${AWAY_MS / 1000} s` : titles[kind];
      figures.push({ title, calls, falseWarnings, toldMs, clearedMs, stopped, addedMs });
    }
  } finally {
    await swarm.stop();
    await stop();
  }
  return figures;
}

async function killFor(server: Server, ms: number): Promise<void> {
  await server.kill();
  await wait(ms);
  await server.restart();
}

interface Usage {
  readonly cpuUs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly memory: number;
  readonly beats: number;
  readonly clients: number;
}

async function usageOf(server: Server): Promise<Usage> {
  const text = await server.ask("INFO", "everything");
  const read = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  const numberOf = (name: string): number => read(new RegExp(`^${name}:([\\d.]+)`, "m"));
  return {
    cpuUs: (numberOf("used_cpu_user") + numberOf("used_cpu_sys")) * 1e6,
    bytesIn: numberOf("total_net_input_bytes"),
    bytesOut: numberOf("total_net_output_bytes"),
    memory: numberOf("used_memory"),
    beats: read(/^cmdstat_hrandfield:calls=(\d+)/m),
    clients: numberOf("connected_clients"),
  };
}

const CONNECTIONS = 50;
const EACH = 200;
const ROUNDS = 5;
let names = 0;
const newName = (): string => `${names++}`.padStart(22, "n");
const rounded = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** The time of the server, and the bytes, for one operation; the median of several rounds. */
async function measureCosts(engine: Engine): Promise<string[]> {
  const server = await startServer(engine);
  const place: StorePlace = { kind: "server", ports: [server.port] };
  const clients = Array.from({ length: CONNECTIONS }, () => openClient("ioredis", place));
  const stores = clients.map(({ client }) => redisStore(client)({ tenant: "costs", windowMs: 300_000 }));
  const report = (at: number, name = newName()) => ({ name, calls: [`call ${names}`], process: `process ${at}` });
  const known = newName();
  type Work = (store: (typeof stores)[number], at: number) => Promise<unknown>;
  const operations: readonly [title: string, units: number, work: Work][] = [
    ["a look at the list of suspects", 1, (store) => store.suspects()],
    ["a report of a suspected call", 1, (store, at) => store.count(report(at))],
    [
      "one of 16 that are sent together",
      16,
      (store, at) => Promise.all(reports(16).map(() => store.count(report(at)))),
    ],
    ["a report of a call that others report, too", 1, (store, at) => store.count(report(at, known))],
    ["a call that worked", 1, (store) => store.clear(newName())],
    ["connect and close", 1, () => connectOnce(place)],
  ];
  const lines: string[] = [];
  for (const [title, units, work] of operations) {
    const each = title.startsWith("connect") ? EACH / 20 : Math.ceil(EACH / units);
    const round = async (): Promise<number[]> => {
      const before = await usageOf(server);
      await Promise.all(
        stores.map(async (store, at) => {
          for (let done = 0; done < each; done++) await work(store, at);
        }),
      );
      const after = await usageOf(server);
      return (["cpuUs", "bytesIn", "bytesOut"] as const).map(
        (of) => (after[of] - before[of]) / (CONNECTIONS * each * units),
      );
    };
    await round();
    const rounds: number[][] = [];
    for (let done = 0; done < ROUNDS; done++) rounds.push(await round());
    const sorted = [0, 1, 2].map((of) => rounds.map((figures) => figures[of]!).toSorted((one, other) => one - other));
    const [cpu, bytesIn, bytesOut] = sorted as [number[], number[], number[]];
    const middle = Math.floor(ROUNDS / 2);
    lines.push(
      `| ${title} | ${rounded(cpu[0]!)} to ${rounded(cpu.at(-1)!)} µs | ${rounded(bytesIn[middle]!)} | ${rounded(bytesOut[middle]!)} |`,
    );
  }
  const { memory } = await usageOf(server);
  await Promise.all(reports(10_000).map((at) => stores[at % CONNECTIONS]!.count(report(at))));
  lines.push(
    `\nA suspected call takes ${rounded(((await usageOf(server)).memory - memory) / 10_000)} bytes of memory.`,
  );
  for (const { close } of clients) close();
  await server.stop();
  return lines;
}

const reports = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

async function connectOnce(place: StorePlace): Promise<void> {
  const { client, close } = openClient("ioredis", place);
  await redisStore(client)({ tenant: "costs", windowMs: 1000 }).suspects();
  close();
}

/** What a process with part of the connections says. */
interface Load {
  readonly connected: number;
  /** Those that have noticed that the store was away. */
  readonly wereAway: number;
}

const LOADS = 2;
const MEASURED_MS = 30_000;
const STEP_MS = 2_000;
const HEARTBEAT_MS = 10_000;

/** Part of the load: many fleets in one process, each with a connection of its own, as a process of its own has. One in a hundred loops. */
async function load(place: StorePlace, count: number, first: number): Promise<void> {
  const connected = new Set<number>();
  const wereAway = new Set<number>();
  for (let at = first; at < first + count; at++) {
    const fleet = createRedisFleet({
      ...{ client: openClient("ioredis", place).client, key: "the key of all processes", witness: `process ${at}` },
      // All of them share the cores with the server. What is late here says nothing about it.
      ...{ heartbeatMs: HEARTBEAT_MS, deadlineMs: 10_000 },
      onFault: () => {},
      observer: {
        onFlush() {},
        onState(state) {
          if (state === "connected") connected.add(at);
          else connected.delete(at);
          if (state === "degraded") wereAway.add(at);
        },
      },
    });
    const member = fleet.join({ worker: "agent" });
    const fingerprint = String.fromCharCode(0x3400 + (at % 5_000)).repeat(9);
    let steps = 0;
    const step = (): void => {
      if (at % 100 === 0) member.report({ id: `${steps++}`, fingerprint, tool: "fetch", isBarren: true });
      else member.verdict(fingerprint);
    };
    setInterval(step, STEP_MS * (0.8 + 0.4 * Math.random()));
    if (at % 50 === 0) await wait(50);
  }
  process.on("message", () => process.send?.({ connected: connected.size, wereAway: wereAway.size } satisfies Load));
  process.send?.("ready");
}

async function measureConnections(engine: Engine, count: number): Promise<string[]> {
  const server = await startServer(engine, { settings: [`maxclients ${count + 1000}`, "tcp-backlog 4096"] });
  const place: StorePlace = { kind: "server", ports: [server.port] };
  const { memory: empty } = await usageOf(server);
  const each = count / LOADS;
  const children = reports(LOADS).map((at) =>
    fork(import.meta.filename, ["load", JSON.stringify([place, each, at * each])]),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  const loads = async (): Promise<Load> => {
    const said = await Promise.all(children.map(askLoad));
    const sum = (of: keyof Load): number => said.reduce((total, one) => total + one[of], 0);
    return { connected: sum("connected"), wereAway: sum("wereAway") };
  };
  const all = () =>
    until("all are back", async () => (await loads()).connected === count, { everyMs: 100, withinMs: 300_000 });
  const lines: string[] = [];
  try {
    await all();
    const before = await usageOf(server);
    await wait(MEASURED_MS);
    const after = await usageOf(server);
    const of = (what: keyof Usage): number => after[what] - before[what];
    const seconds = MEASURED_MS / 1000;
    lines.push(
      `${after.clients} connections, one in a hundred loops: ${(of("cpuUs") / seconds / 1e6).toFixed(3)} of a core, ${rounded(of("beats") / seconds)} looks a second, ${rounded(of("bytesIn") / seconds / 1000)} KB a second in, ${rounded(of("bytesOut") / seconds / 1000)} KB out, ${rounded((after.memory - empty) / count / 1000)} KB of memory each`,
    );
    for (const awayMs of [1_000, 30_000]) {
      const earlier = (await loads()).wereAway;
      await killFor(server, awayMs);
      const start = performance.now();
      await until("clients connect", async () => (await usageOf(server)).clients >= count, { everyMs: 100 });
      await all();
      const [took, noticed] = [performance.now() - start, (await loads()).wereAway];
      lines.push(
        `killed for ${awayMs / 1000} s: all back after ${rounded(took / 1000)} s; ${Math.max(0, noticed - earlier)} more noticed`,
      );
    }
  } finally {
    for (const child of children) child.kill();
    await server.stop();
  }
  return lines;
}

function askLoad(child: ChildProcess): Promise<Load> {
  return new Promise((resolve) => {
    child.once("message", (said) => resolve(said as Load));
    child.send("how is it?");
  });
}

if (process.argv[2] === "load") {
  await load(...(JSON.parse(process.argv[3]!) as [StorePlace, number, number]));
} else {
  const engine = engines.find((each) => each === asked.engine);
  if (engine === undefined || !isInstalled(engine))
    throw new Error(`bench: ${engines.join(" or ")} is required: node scripts/install-servers.ts`);
  console.log(`${engine} on ${availableParallelism()} cores, ${cpus()[0]?.model.trim()}, Node ${process.version}\n`);
  const does = (what: string): boolean => asked.only === undefined || asked.only === what;
  const figures: SwarmFigures[] = [];
  for (const kind of does("swarm") ? (["server", "cluster", "sentinel"] as const) : [])
    figures.push(...(await measureSwarm(kind, engine)));
  for (const { title, calls, falseWarnings, toldMs, clearedMs, stopped, addedMs } of figures)
    console.log(
      `| ${title} | ${calls} | ${falseWarnings} | ${(toldMs / 1000).toFixed(1)} s | ${(clearedMs / 1000).toFixed(1)} s | ${stopped} | ${addedMs.map((ms) => ms.toFixed(2)).join(" / ")} ms |`,
    );
  if (does("costs")) console.log((await measureCosts(engine)).join("\n"));
  if (asked.connections !== undefined)
    console.log((await measureConnections(engine, Number(asked.connections))).join("\n"));
  const missed = figures.filter(
    (each) =>
      each.addedMs[0] > GOALS.addedMs ||
      (["falseWarnings", "toldMs", "clearedMs", "stopped"] as const).some((of) => each[of] > GOALS[of]),
  );
  for (const { title } of missed) console.log(`${title}: misses a goal`);
  process.exit(asked.check && missed.length > 0 ? 1 : 0);
}
