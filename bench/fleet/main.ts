import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, engines, isInstalled, type Server, startServer } from "../../test/stores/servers/server.ts";
import { connectCosts } from "./connect-costs.ts";
import { measureHonest, measureOutage } from "./honest/measure-honest.ts";
import { measureFailures } from "./honest/worded-failures.ts";
import { measureMemory } from "./memory.ts";
import { measureHost } from "./one-host.ts";
import { processCosts } from "./process-costs.ts";
import { recoverInModel } from "./recovery/modelled-recovery.ts";
import { recoverForReal, recoverWithTls } from "./recovery/real-recovery.ts";
import { measureStores } from "./store-throughput.ts";
import { sumsOf, sumsTable } from "./sums.ts";
import {
  type Figure,
  goalTable,
  isTolerable,
  machine,
  memoryTable,
  modelTable,
  processTable,
  recoveryTable,
  TOLERANCE,
  unitTable,
  wholeTable,
} from "./tables.ts";
import { unitCosts } from "./unit-costs.ts";
import { measureWhole, type Whole } from "./whole-fleet.ts";

/**
 * Measures what a fleet over Redis costs its server and its processes, on a real server. Prints tables; takes about ten minutes.
 *
 * `--engine valkey` measures on Valkey. `--scale` opens 10,000 and more real connections to one server, and computes the figures for 100,000. `--recovery` makes
 * that server stall and die. `--honest` needs no server: it lets 10,000 simulated workers do honest work and run into dead ends, and an outage hit
 * 10,000 processes (`--workers`); `--outage 100000 --heartbeat 15000` simulates another one. `--failures` counts
 * how many worded failures are told right. `--stores` compares stores through their port, and puts
 * 1,000 runs into one process. `--all` measures all of it. `--check` fails if a goal is missed by more than the tolerance; `--write` saves the figures in `results.json`.
 */
const { values: asked } = parseArgs({
  options: {
    engine: { type: "string", default: "redis" },
    scale: { type: "boolean" },
    recovery: { type: "boolean" },
    honest: { type: "boolean" },
    failures: { type: "boolean" },
    stores: { type: "boolean" },
    all: { type: "boolean" },
    workers: { type: "string", default: "10000" },
    outage: { type: "string" },
    heartbeat: { type: "string", default: "5000" },
    seed: { type: "string", default: "7" },
    check: { type: "boolean" },
    write: { type: "boolean" },
  },
});
const engine = engines.find((each) => each === asked.engine);
if (engine === undefined) throw new Error(`bench: one of ${engines.join(", ")} is required, got ${asked.engine}`);
if (!isInstalled(engine) && !asked.honest && !asked.failures && asked.outage === undefined)
  throw new Error(`bench: ${engine}-server is required: node scripts/install-servers.ts`);

const PROCESSES = 10_000;
/** Many machines let a process open 20,000 files, and the server itself needs some. */
const MOST_PROCESSES = 19_000;
const MAX_RECOVERY_SECONDS = 60;

const kinds = {
  ...{ scale: measureScale, recovery: measureRecovery, honest: measureSwarm, failures: measureWords },
  stores: measureEachStore,
};
const chosen: [string, (on: Engine) => Promise<Figure[]>][] = Object.entries(kinds).filter(
  ([name]) => asked.all || asked[name as keyof typeof kinds],
);
if (asked.outage !== undefined) chosen.push(["outage", measureOneOutage]);
const measures = asked.all || chosen.length === 0 ? [measureUnits] : [];
const figures: Figure[] = [];
for (const measure of [...measures, ...chosen.map(([, each]) => each)]) figures.push(...(await measure(engine)));
console.log(
  `\n${goalTable(figures)}\n\nMeasured on ${machine()}${isInstalled(engine) ? `, ${await versionOf(engine)}` : ""}.`,
);
if (asked.write)
  writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify({ figures }, undefined, 2)}\n`);
if (asked.check) {
  const missed = figures.filter((figure) => !isTolerable(figure));
  for (const { what } of missed) console.error(`missed by more than ${TOLERANCE * 100} %: ${what}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function measureUnits(on: Engine): Promise<Figure[]> {
  return withServer(on, async (server) => {
    const connects = await connectCosts(on, server);
    const units = await unitCosts(server);
    console.log(unitTable(units, connects));
    console.log(`\n${memoryTable(await withServer(on, measureMemory), connects)}`);
    const costs = await processCosts(server);
    console.log(`\n${processTable(costs)}`);
    const [healthy, most] = [units.heartbeat.serverUs, 40];
    return [
      { what: "a healthy heartbeat", measured: healthy, unit: "µs", goal: { atMost: most } },
      {
        what: "a healthy step in a fleet, of one without",
        measured: costs.observe.healthy,
        unit: "x",
        goal: { atMost: 1.3 },
      },
      { what: "a joiner's first minute", measured: costs.firstMinute.serverMs, unit: "ms", goal: { atMost: 3 } },
    ];
  });
}

async function measureScale(on: Engine): Promise<Figure[]> {
  const wholes: Whole[] = [];
  const loads = [
    { processes: PROCESSES, title: "healthy" },
    { processes: PROCESSES, title: "of which 1 % loop on one page", pages: { oneOf: 100, isShared: true } },
    { processes: PROCESSES, title: "of which 1 % loop on a page each", pages: { oneOf: 100, isShared: false } },
    { processes: MOST_PROCESSES, title: "healthy" },
  ];
  for (const load of loads) wholes.push(await measureWhole(on, load));
  console.log(wholeTable(wholes));
  const [healthy] = wholes as [Whole];
  return withServer(on, async (server) => {
    const connects = await connectCosts(on, server);
    const units = await unitCosts(server);
    const of = { units, connects, idleShare: healthy.idleShare / PROCESSES };
    console.log(`\n${sumsTable(of)}`);
    const many = sumsOf(of, 10 * PROCESSES).healthy;
    return [
      { what: "10,000 healthy processes, of one core", measured: healthy.share * 100, unit: "%", goal: { atMost: 10 } },
      { what: "100,000 healthy processes, reckoned", measured: many * 100, unit: "%", goal: { atMost: 100 } },
    ];
  });
}

async function measureEachStore(on: Engine): Promise<Figure[]> {
  await measureStores(on);
  await measureHost(on);
  return [];
}

function measureSwarm(): Promise<Figure[]> {
  const [workers, seed] = [asked.workers, asked.seed].map(Number) as [number, number];
  console.log(`Simulated with seed ${seed}.\n`);
  return measureHonest({ workers, processes: Math.ceil(workers / 20), rampMs: 60_000, seed });
}

async function measureWords(): Promise<Figure[]> {
  measureFailures();
  return [];
}

function measureOneOutage(): Promise<Figure[]> {
  const [processes, seed, heartbeatMs] = [asked.outage, asked.seed, asked.heartbeat].map(Number) as [
    number,
    number,
    number,
  ];
  return measureOutage({ processes, seed, heartbeatMs });
}

async function measureRecovery(on: Engine): Promise<Figure[]> {
  const modelled = await recoverInModel(on);
  console.log(modelTable(modelled));
  const real = await recoverForReal(on, PROCESSES);
  console.log(`\n${recoveryTable(real)}`);
  const tls = [await recoverWithTls(on, "rsa:2048"), await recoverWithTls(on, "ec")];
  console.log(`\n${recoveryTable(tls)}`);
  return [...modelled, ...real, ...tls].map(({ title, backMs }) => ({
    ...{ what: `all back: ${title}`, measured: backMs / 1000, unit: "s" },
    goal: { atMost: MAX_RECOVERY_SECONDS },
  }));
}

async function withServer<Result>(on: Engine, work: (server: Server) => Promise<Result>): Promise<Result> {
  const server = await startServer(on);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

function versionOf(of: Engine): Promise<string> {
  return withServer(of, async (server) => {
    const info = await server.ask("INFO", "server");
    const version = /valkey_version:([\d.]+)/.exec(info) ?? /redis_version:([\d.]+)/.exec(info);
    return `${of} ${version?.[1] ?? ""}`.trim();
  });
}
