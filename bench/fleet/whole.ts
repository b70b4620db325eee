import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "../../test/stores/servers/engine.ts";
import { startServer } from "../../test/stores/servers/server.ts";
import type { Pages } from "./load/load-message.ts";
import { startLoad, sumOf } from "./load/start-load.ts";
import { spentOn, usedMemory } from "./server-books.ts";

/** What a server spends on so many processes, each with a real connection. */
export interface Whole {
  readonly title: string;
  readonly processes: number;
  /** Of one core: connections that are only open, and with all that their processes do. */
  readonly idleShare: number;
  readonly share: number;
  readonly commandsPerSecond: number;
  readonly bytesPerSecond: number;
  /** The server's memory by connection. */
  readonly connectionBytes: number;
  /** Processes that know of a dead end at the end. */
  readonly knowing: number;
  /** How late the load's own timers were. */
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
/** A quarter of a window: each process tells of its runs once. */
const MEASURED_MS = 75_000;

export async function measureWhole(engine: Engine, { processes, title, pages }: WholeOptions): Promise<Whole> {
  const server = await startServer(engine, { settings: [`maxclients ${processes + 500}`] });
  const before = await usedMemory(server);
  const load = await startLoad(server, processes);
  try {
    const idle = await spentOn(server, () => wait(IDLE_MS));
    // Those that loop are told to all at the beginning: that belongs to it.
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
