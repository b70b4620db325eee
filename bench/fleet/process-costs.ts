import { setTimeout as wait } from "node:timers/promises";
import { createGuard, type Guard } from "../../packages/doomloop/src/index.ts";
import type { Server } from "../../test/stores/servers/server.ts";
import { benchFleet, openClients } from "./bench-fleet.ts";
import { median, ownTimeMs, type ServerUsage, spentOn } from "./server-costs.ts";
import { fillNews } from "./unit-costs.ts";

/** What one process costs over some time. */
export interface ProcessCosts {
  /** What a healthy process costs the server in an hour, scaled up from a window of five minutes. */
  readonly hour: ServerUsage;
  /** CPU time of that process in an hour, including its guard and its client. */
  readonly ownHourMs: number;
  /** What a new process costs the server in its first minute, including the connection, if the news is full. */
  readonly firstMinute: ServerUsage;
  /** The time a guard takes for a step in a fleet, relative to a guard without one. */
  readonly observe: {
    readonly healthy: number;
    readonly barren: number;
    /** A healthy step while the fleet knows about dead ends, so that each call is looked up. */
    readonly warned: number;
  };
}

const PROCESSES = 40;
const STEP_MS = 2000;
const WINDOW_MS = 300_000;
const HOUR = 12;
const JOINERS = 100;
const MINUTE_MS = 60_000;
const STEPS = 2_000;
const ROUNDS = 15;

export async function processCosts(server: Server): Promise<ProcessCosts> {
  await server.ask("FLUSHALL");
  const quiet = { healthy: await observeRatio(server, true), barren: await observeRatio(server, false) };
  await server.ask("FLUSHALL");
  const [open] = await openClients("ioredis", server, 1);
  await fillNews(open!);
  const observe = { ...quiet, warned: await observeRatio(server, true) };
  open!.close();
  const firstMinute = await firstMinuteOf(server);
  const { hour, ownHourMs } = await hourOf(server);
  return { hour, ownHourMs, firstMinute, observe };
}

async function hourOf(server: Server) {
  await server.ask("FLUSHALL");
  const idle = await spentOn(server, () => wait(10_000));
  const { guards, end } = await openGuards(server, PROCESSES);
  const steps = { made: 0 };
  const timers = guards.map((guard, at) =>
    setInterval(() => step(guard, `${at}.${steps.made++}`, true), STEP_MS * (0.9 + (0.2 * at) / PROCESSES)),
  );
  await wait(10_000);
  const before = ownTimeMs();
  const spent = await spentOn(server, () => wait(WINDOW_MS));
  const ownMs = ownTimeMs() - before;
  for (const timer of timers) clearInterval(timer);
  await end();
  const idleMs = idle.serverMs * (WINDOW_MS / 10_000);
  return {
    hour: scaled({ ...spent, serverMs: spent.serverMs - idleMs }, HOUR / PROCESSES),
    ownHourMs: (ownMs * HOUR) / PROCESSES,
  };
}

async function firstMinuteOf(server: Server): Promise<ServerUsage> {
  await server.ask("FLUSHALL");
  const [first] = await openClients("ioredis", server, 1);
  await fillNews(first!);
  const idle = await spentOn(server, () => wait(10_000));
  let finish = async () => {};
  const spent = await spentOn(server, async () => {
    const { guards, end } = await openGuards(server, JOINERS);
    finish = end;
    for (const [at, guard] of guards.entries()) step(guard, String(at), true);
    await wait(MINUTE_MS);
  });
  await finish();
  first!.close();
  return scaled({ ...spent, serverMs: spent.serverMs - idle.serverMs * (MINUTE_MS / 10_000) }, 1 / JOINERS);
}

/** Guards that each have their own fleet and connection, as separate processes would. */
async function openGuards(server: Server, count: number) {
  const clients = await openClients("ioredis", server, count);
  const fleets = clients.map(({ client }, at) => benchFleet(at, client));
  const guards = fleets.map((fleet, at) => createGuard({ fleet: fleet.join({ worker: `agent ${at}`, run: "1" }) }));
  const end = async () => {
    await Promise.all(fleets.map((fleet) => fleet.close()));
    for (const { close } of clients) close();
  };
  return { guards, end };
}

async function observeRatio(server: Server, isHealthy: boolean): Promise<number> {
  const [open] = await openClients("ioredis", server, 1);
  const fleet = benchFleet(0, open!.client, { tenantQuota: 1_000_000 });
  const ratios: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const alone = timeOf(createGuard(), round, isHealthy);
    const together = timeOf(createGuard({ fleet: fleet.join({ worker: "agent", run: `${round}` }) }), round, isHealthy);
    if (round >= 0) ratios.push(together / alone);
    await fleet.flush();
  }
  await fleet.close();
  open!.close();
  return median(ratios);
}

function timeOf(guard: Guard, round: number, isHealthy: boolean): number {
  const before = ownTimeMs();
  for (let at = 0; at < STEPS; at++) step(guard, `${round}.${at}`, isHealthy);
  return ownTimeMs() - before;
}

/** A call to fetch a page, with a new result each time or with an error. */
function step(guard: Guard, name: string, isHealthy: boolean): void {
  guard.observe({ type: "call", id: name, tool: "fetch_page", args: { url: `https://docs.example/${name}` } });
  const result = isHealthy ? { output: `the page ${name}` } : { output: "404 Not Found", error: true };
  guard.observe({ type: "result", id: name, ...result });
}

function scaled(books: ServerUsage, factor: number): ServerUsage {
  return {
    ...{ serverMs: books.serverMs * factor, commands: books.commands * factor },
    ...{ bytesIn: books.bytesIn * factor, bytesOut: books.bytesOut * factor },
  };
}
