import type { Server } from "../../test/stores/servers/server.ts";
import { processorTimeMs } from "./processor-time.ts";

/** What a server has spent so far. */
export interface Books {
  readonly serverMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly commands: number;
}

/** What one thing costs a server. */
export interface UnitCost {
  readonly serverUs: number;
  /** To the server, and back. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export async function readBooks(server: Server): Promise<Books> {
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

/** What a server spends on some work, without what it costs to ask it. */
export async function spentOn(server: Server, work: () => Promise<unknown>): Promise<Books> {
  const before = await readBooks(server);
  const asked = await readBooks(server);
  await work();
  const after = await readBooks(server);
  const spent = (of: keyof Books): number => Math.max(0, after[of] - asked[of] - (asked[of] - before[of]));
  return {
    ...{ serverMs: spent("serverMs"), commands: spent("commands") },
    ...{ bytesIn: spent("bytesIn"), bytesOut: spent("bytesOut") },
  };
}

/** What one of many units costs: the median of some rounds. */
export async function unitCost(
  server: Server,
  units: number,
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<UnitCost> {
  const all: Books[] = [];
  // The first is left out: it makes room, and compiles.
  for (let round = -1; round < rounds; round++) {
    const spent = await spentOn(server, () => work(round));
    if (round >= 0) all.push(spent);
  }
  const each = (of: keyof Books): number => median(all.map((spent) => spent[of])) / units;
  return { serverUs: each("serverMs") * 1000, bytesIn: each("bytesIn"), bytesOut: each("bytesOut") };
}

/** What is left of a cost without another one that was paid with it. */
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
