import { setTimeout as wait } from "node:timers/promises";
import { type Engine, startServer } from "../../test/stores/servers/server.ts";
import { type Pages, startLoad, sumOf } from "./load/start-load.ts";
import { spentOn, usedMemory } from "./server-costs.ts";

/** What a server spends on many processes, each with a real connection. */
export interface Whole {
  readonly title: string;
  readonly processes: number;
  /** Share of one core for connections that are only open, and with everything that their processes do. */
  readonly idleShare: number;
  readonly share: number;
  readonly commandsPerSecond: number;
  readonly bytesPerSecond: number;
  /** The server's memory for each connection. */
  readonly connectionBytes: number;
  /** Processes that know about a dead end at the end. */
  readonly knowing: number;
  /** The longest delay of the load's own timers. */
  readonly maxDelayMs: number;
}

export interface WholeOptions {
  readonly processes: number;
  readonly title: string;
  /** @default none */
  readonly pages?: Pages;
}

const IDLE_MS = 15_000;
const JOIN_MS = 5_000;
const SETTLE_MS = 10_000;
/** A quarter of a window, in which each process announces its runs once. */
const MEASURED_MS = 75_000;

export async function measureWhole(engine: Engine, { processes, title, pages }: WholeOptions): Promise<Whole> {
  const server = await startServer(engine, { settings: [`maxclients ${processes + 500}`] });
  const before = await usedMemory(server);
  const load = await startLoad(server, processes);
  try {
    const idle = await spentOn(server, () => wait(IDLE_MS));
    // The news about the loops goes to all processes at the beginning, and is part of the cost.
    const start = async (): Promise<void> => load.join(JOIN_MS, pages);
    if (pages === undefined) {
      await start();
      await wait(SETTLE_MS);
    }
    await load.mark();
    const spent = await spentOn(server, async () => {
      const over = wait(MEASURED_MS);
      if (pages !== undefined) await start();
      await over;
    });
    const counts = await load.count();
    const connectionBytes = ((await usedMemory(server)) - before) / processes;
    return {
      ...{ title, processes, idleShare: idle.serverMs / IDLE_MS, share: spent.serverMs / MEASURED_MS },
      ...{ commandsPerSecond: (spent.commands * 1000) / MEASURED_MS, connectionBytes },
      bytesPerSecond: ((spent.bytesIn + spent.bytesOut) * 1000) / MEASURED_MS,
      ...{ knowing: sumOf(counts, "knowing"), maxDelayMs: Math.max(...counts.map((each) => each.maxDelayMs)) },
    };
  } finally {
    load.end();
    await server.stop();
  }
}
