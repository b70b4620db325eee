import { setTimeout as wait } from "node:timers/promises";
import { type Engine, type Server, startServer } from "../../../test/stores/servers/server.ts";
import type { ClientName } from "../bench-fleet.ts";
import { type Load, startLoad, sumOf } from "../load/start-load.ts";
import { processorTimeMs } from "../server-costs.ts";
import { type CertificateKey, startTlsServer } from "../tls-server.ts";
import { prefer, slowDown } from "./slow-server.ts";

const CONNECTIONS = 1_000;

/** On a server that is this many times slower, they are as much work as this many times more connections. */
const SLOWNESS = 10;

const TCP_BACKLOG = 511;

/** A fault of the server while all are connected. */
interface Fault {
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
  /** Fleets that considered the store away. */
  readonly wereAway: number;
  /** Time from the end of the fault until each fleet is connected, has had an answer in time, and has nothing waiting. */
  readonly backMs: number;
  /** The same for the processes of each client. */
  readonly backMsOf: Readonly<Record<ClientName, number>>;
  /** CPU time of the server until then. */
  readonly serverMs: number;
  readonly lost: number;
  /** The longest delay of the load's own timers. */
  readonly maxDelayMs: number;
}

/** If fleets are not back by then, the bench fails. */
const PATIENCE_MS = 300_000;
const CALM_MS = 15_000;
const JOIN_MS = 5_000;

/** Causes the faults, one after another, on a server with this many connections. */
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

async function recoverFrom({ title, begin, lastsMs, end }: Fault, server: Server, load: Load): Promise<Recovery> {
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

/**
 * All connections of a server with TLS are lost and made again. With ten thousand, the clients' half of the work would keep the
 * machine busy, so a tenth of them connect to a server that has a tenth of a core.
 */
export async function recoverWithTls(engine: Engine, key: CertificateKey): Promise<Recovery> {
  const settings = [`maxclients ${2 * CONNECTIONS}`, `tcp-backlog ${Math.ceil(TCP_BACKLOG / SLOWNESS)}`];
  const server = await startTlsServer(engine, key, settings);
  const load = await startLoad({ port: server.tlsPort, isTls: true }, CONNECTIONS);
  let slow = { end: async (): Promise<unknown> => undefined };
  try {
    await load.join(JOIN_MS);
    const restart = {
      title: `TLS with ${key === "ec" ? "a P-256" : "an RSA"} certificate: kill -9, restarted after 1 s`,
      begin: () => server.kill(),
      lastsMs: 1000,
      async end() {
        await server.restart();
        slow = slowDown(server.pid, SLOWNESS);
      },
    };
    return await recoverFrom(restart, server, load);
  } finally {
    load.end();
    await slow.end();
    await server.stop();
  }
}
