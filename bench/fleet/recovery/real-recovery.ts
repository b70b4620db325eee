import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "../../../test/stores/servers/engine.ts";
import { type Server, startServer } from "../../../test/stores/servers/server.ts";
import { type Load, startLoad, sumOf } from "../load/start-load.ts";
import { processorTimeMs } from "../processor-time.ts";
import type { ClientName } from "../store-client.ts";
import { prefer } from "./prefer.ts";

/** Something that happens to the server while all are connected. */
export interface Fault {
  readonly title: string;
  begin(server: Server): Promise<unknown> | unknown;
  readonly lastsMs: number;
  end?(server: Server): Promise<unknown> | unknown;
}

const faults: readonly Fault[] = [
  { title: "nothing", begin: () => {}, lastsMs: 0 },
  ...[1, 5, 30].map((seconds) => ({
    title: `SIGSTOP for ${seconds} s`,
    begin: (server: Server) => server.pause(),
    lastsMs: seconds * 1000,
    end: (server: Server) => server.resume(),
  })),
  ...[1, 30].map((seconds) => ({
    title: `kill -9, restarted after ${seconds} s`,
    begin: (server: Server) => server.kill(),
    lastsMs: seconds * 1000,
    end: (server: Server) => server.restart(),
  })),
  {
    title: "CLIENT KILL of all connections",
    begin: (server) => server.ask("CLIENT", "KILL", "TYPE", "normal"),
    lastsMs: 0,
  },
];

export interface Recovery {
  readonly title: string;
  readonly fleets: number;
  /** Fleets that took the store to be away. */
  readonly wereAway: number;
  /** From the end of the fault until each fleet is connected, has had an answer in time, and has nothing waiting. */
  readonly backMs: number;
  /** The same for the processes that use one client, and those that use the other. */
  readonly backMsOf: Readonly<Record<ClientName, number>>;
  /** Processor time of the server until then. */
  readonly serverMs: number;
  readonly lost: number;
  /** How late the load's own timers were. */
  readonly maxDelayMs: number;
}

/** What is not back by then does not come back. */
const PATIENCE_MS = 300_000;
const CALM_MS = 15_000;
const JOIN_MS = 5_000;

/** Lets the faults happen, one after another, to a server with so many connections. */
export async function recoverForReal(engine: Engine, connections: number): Promise<Recovery[]> {
  const recoveries: Recovery[] = [];
  const server = await startServer(engine, { settings: [`maxclients ${2 * connections}`] });
  prefer(server.pid);
  const load = await startLoad(server, connections);
  try {
    await load.join(JOIN_MS, { oneOf: 100, isShared: true });
    for (const fault of faults) recoveries.push(await recoverFrom(fault, server, load));
    return recoveries;
  } finally {
    load.end();
    await server.stop();
  }
}

export async function recoverFrom(
  { title, begin, lastsMs, end }: Fault,
  server: Server,
  load: Load,
): Promise<Recovery> {
  await wait(CALM_MS);
  await load.mark();
  const lostBefore = sumOf(await load.count(), "lost");
  await begin(server);
  await wait(lastsMs);
  const { wereAway, fleets } = totalsOf(await load.count());
  await end?.(server);
  prefer(server.pid);
  const endedAt = Date.now();
  const serverBefore = processorTimeMs(server.pid) ?? 0;
  await load.mark();
  const counts = await allBack(load, endedAt);
  const { lost, maxDelayMs, ...totals } = totalsOf(counts);
  const backMs = (client?: ClientName): number => {
    const asked = counts.filter((_, at) => client === undefined || load.clients[at] === client);
    return Math.max(...asked.map((each) => each.lastBackAt)) - endedAt;
  };
  return {
    ...{ title, fleets, wereAway: Math.max(wereAway, totals.wereAway), backMs: backMs() },
    backMsOf: { ioredis: backMs("ioredis"), "node-redis": backMs("node-redis") },
    ...{ serverMs: (processorTimeMs(server.pid) ?? 0) - serverBefore, lost: lost - lostBefore, maxDelayMs },
  };
}

async function allBack(load: Load, since: number) {
  for (;;) {
    const counts = await load.count();
    const missing = sumOf(counts, "fleets") - sumOf(counts, "back");
    if (missing === 0) return counts;
    if (Date.now() - since > PATIENCE_MS) throw new Error(`bench: ${missing} fleets did not come back`);
    await wait(100);
  }
}

function totalsOf(counts: Awaited<ReturnType<Load["count"]>>) {
  return {
    ...{ fleets: sumOf(counts, "fleets"), wereAway: sumOf(counts, "wereAway"), lost: sumOf(counts, "lost") },
    maxDelayMs: Math.max(...counts.map((each) => each.maxDelayMs)),
  };
}
