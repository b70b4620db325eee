import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { PostgresClient } from "../../examples/fleet-postgres/postgres-store.ts";
import type { FleetStore } from "../../packages/doomloop/src/fleet/index.ts";
import { redisStore } from "../../packages/doomloop/src/fleet/redis/redis-store.ts";
import { hasPostgres, startPostgres } from "../../test/stores/servers/postgres.ts";
import { type Engine, startServer } from "../../test/stores/servers/server.ts";
import { openClients, WINDOW_MS } from "./bench-fleet.ts";
import { toTable } from "./tables.ts";

/** What a store does through its port, whatever is behind it. */
interface Throughput {
  readonly store: string;
  /** Processor time of the server for one of them, and how many there were in a second. */
  readonly report: Cost;
  readonly beat: Cost;
}

interface Cost {
  readonly serverUs: number;
  readonly perSecond: number;
}

const requireStore = createRequire(resolve(import.meta.dirname, "../../test/stores/package.json"));
const AT_ONCE = 32;
const SECONDS = 5;
const TICK_MS = 10;

/** Reports and heartbeats of one process that sends as many as it can, over each store. */
export async function measureStores(engine: Engine): Promise<void> {
  const rows: Throughput[] = [];
  const server = await startServer(engine);
  const [client] = await openClients("ioredis", server, 1);
  const open = redisStore(client!.client);
  rows.push(await throughputOf(engine, open({ tenant: "bench", windowMs: WINDOW_MS }), () => cpuMs([server.pid])));
  client!.close();
  await server.stop();
  if (hasPostgres) rows.push(await postgresThroughput());
  const cells = ({ serverUs, perSecond }: Cost): string[] => [
    `${Math.round(serverUs)} µs`,
    String(Math.round(perSecond)),
  ];
  const table = rows.map(({ store, report, beat }) => [store, ...cells(report), ...cells(beat)]);
  console.log(`\n${toTable(["store", "a report", "reports a second", "a heartbeat", "heartbeats a second"], table)}`);
}

/** Needs a build: the example imports the package as users do. */
async function postgresThroughput(): Promise<Throughput> {
  const { CREATE_TABLE, postgresStore } = await import("../../examples/fleet-postgres/postgres-store.ts");
  const server = await startPostgres();
  const { Pool } = requireStore("pg") as { Pool: new (options: object) => PostgresClient & { end(): Promise<void> } };
  const pool = new Pool({ connectionString: server.url, max: 8 });
  try {
    await pool.query({ text: CREATE_TABLE, values: [] });
    const store = postgresStore(pool)({ tenant: "bench", windowMs: WINDOW_MS });
    const serverMs = () => cpuMs([server.pid, ...childrenOf(server.pid)]);
    // Postgres does this by itself within a minute.
    const settle = () => pool.query({ text: "VACUUM ANALYZE doomloop_fleet", values: [] });
    return await throughputOf("Postgres 15", store, serverMs, settle);
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function throughputOf(
  store: string,
  of: FleetStore,
  serverMs: () => number,
  settle: () => Promise<unknown> = async () => {},
): Promise<Throughput> {
  let number = 0;
  const report = () => {
    const name = (number++ % 20_000).toString(36).padStart(22, "_");
    return of.count({ name, calls: [`call ${number}`], witness: `process ${number % 50}` });
  };
  const measure = async (act: () => Promise<unknown>): Promise<Cost> => {
    const [end, before] = [performance.now() + SECONDS * 1000, serverMs()];
    let done = 0;
    const work = async (): Promise<void> => {
      for (; performance.now() < end; done++) await act();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { serverUs: ((serverMs() - before) * 1000) / done, perSecond: done / SECONDS };
  };
  await report();
  const { cursor } = await of.beat({ cursor: undefined, agreement: "bench" });
  const reports = await measure(report);
  await settle();
  return { store, report: reports, beat: await measure(() => of.beat({ cursor, agreement: "bench" })) };
}

/** Processor time of processes. */
function cpuMs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[1]) === parent;
    } catch {
      return false;
    }
  });
}
