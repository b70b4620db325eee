import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "../../test/stores/servers/server.ts";

/** What a server has used so far. */
export interface ServerUsage {
  readonly serverMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly commands: number;
}

/** What one operation costs a server. */
export interface UnitCost {
  readonly serverUs: number;
  /** Bytes sent to the server; `bytesOut` are those it sends back. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

async function readUsage(server: Server): Promise<ServerUsage> {
  const text = await server.ask("INFO", "everything");
  const numberOf = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(text)?.[1]);
  const saidMs = (numberOf("used_cpu_user") + numberOf("used_cpu_sys")) * 1000;
  return {
    serverMs: processorTimeMs(server.pid) ?? saidMs,
    bytesIn: numberOf("total_net_input_bytes"),
    bytesOut: numberOf("total_net_output_bytes"),
    commands: numberOf("total_commands_processed"),
  };
}

/** What a server spends on a task, without the cost of reading its figures. */
export async function spentOn(server: Server, work: () => Promise<unknown>): Promise<ServerUsage> {
  const before = await readUsage(server);
  const asked = await readUsage(server);
  await work();
  const after = await readUsage(server);
  const spent = (of: keyof ServerUsage): number => Math.max(0, after[of] - asked[of] - (asked[of] - before[of]));
  return {
    ...{ serverMs: spent("serverMs"), commands: spent("commands") },
    ...{ bytesIn: spent("bytesIn"), bytesOut: spent("bytesOut") },
  };
}

/** The cost of one unit: the median of several rounds with many units each. */
export async function unitCost(
  server: Server,
  units: number,
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<UnitCost> {
  const all: ServerUsage[] = [];
  // The first round does not count: it allocates memory and compiles code.
  for (let round = -1; round < rounds; round++) {
    const spent = await spentOn(server, () => work(round));
    if (round >= 0) all.push(spent);
  }
  const each = (of: keyof ServerUsage): number => median(all.map((spent) => spent[of])) / units;
  return { serverUs: each("serverMs") * 1000, bytesIn: each("bytesIn"), bytesOut: each("bytesOut") };
}

/** A cost minus another one that is part of it. */
export function without(cost: UnitCost, other: UnitCost): UnitCost {
  return {
    serverUs: cost.serverUs - other.serverUs,
    bytesIn: cost.bytesIn - other.bytesIn,
    bytesOut: cost.bytesOut - other.bytesOut,
  };
}

export function times(cost: UnitCost, factor: number): UnitCost {
  return { serverUs: cost.serverUs * factor, bytesIn: cost.bytesIn * factor, bytesOut: cost.bytesOut * factor };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

export async function usedMemory(server: Server): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await server.ask("INFO", "memory"))?.[1]);
}

/**
 * CPU time that a process has used so far, with all its threads, in milliseconds.
 *
 * It is read from the scheduler's statistics. The figures that processes see about themselves are sampled at timer ticks on many
 * machines, so work that begins with a timer is counted several times. Undefined if the system has no such statistics.
 */
export function processorTimeMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const books = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
    return books.reduce((sum, book) => sum + Number(book.split(" ")[0]), 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** CPU time of this process; its own figure if there is nothing better. */
export function ownTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return processorTimeMs(process.pid) ?? (user + system) / 1000;
}
