import type { Server } from "../../test/stores/servers/server.ts";
import { benchFleet, fingerprintOf } from "./bench-fleet.ts";
import { serverCpuMs } from "./server-cpu.ts";
import { openClient, type StoreClient } from "./store-client.ts";

/** What one thing costs the server. */
export interface UnitCost {
  readonly serverUs: number;
  /** To the server and back. */
  readonly wireBytes: number;
}

export interface UnitCosts {
  /** A fingerprint with one call, by how many travel together. */
  readonly fingerprint: ReadonlyMap<number, UnitCost>;
  /** A process that asks what is new, and nothing is. */
  readonly pulse: UnitCost;
  /** Memory of a live fingerprint with one call. */
  readonly liveBytes: number;
}

const REPORTS = 6_000;
const PULSES = 2_000;
const ROUNDS = 5;
const BATCHES = [1, 4, 32, 256];

/** What the server pays for each part of a fleet's traffic: the figures that a larger fleet is reckoned from. */
export async function unitCosts(server: Server): Promise<UnitCosts> {
  const client = await openClient("ioredis", server.port);
  const fingerprint = new Map<number, UnitCost>();
  for (const batch of BATCHES) {
    const rounds: UnitCost[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await report(server, client, batch));
    fingerprint.set(batch, cheapest(rounds));
  }
  const pulses: UnitCost[] = [];
  for (let round = 0; round < ROUNDS; round++) pulses.push(await pulse(server, client));
  const liveBytes = await liveMemory(server, client);
  client.close();
  return { fingerprint, pulse: cheapest(pulses), liveBytes };
}

async function report(server: Server, { client }: StoreClient, batch: number): Promise<UnitCost> {
  await server.ask("FLUSHALL");
  const fleet = benchFleet(client, { flushFingerprints: batch, maxInFlight: 8 });
  const member = fleet.join({ worker: "worker" });
  await fleet.flush();
  const cost = await costOf(server, REPORTS, async () => {
    for (let at = 0; at < REPORTS; at++) {
      member.report({ id: String(at), fingerprint: fingerprintOf(at), tool: "fetch", isBarren: true });
    }
    await fleet.flush();
  });
  await fleet.close();
  return cost;
}

async function pulse(server: Server, { client }: StoreClient): Promise<UnitCost> {
  const fleet = benchFleet(client);
  fleet.join({ worker: "worker" }).report({ id: "0", fingerprint: fingerprintOf(0), tool: "fetch", isBarren: true });
  await fleet.flush();
  const before = fleet.stats().pulses;
  const total = await costOf(server, 1, async () => {
    for (let at = 0; at < PULSES; at++) await fleet.flush();
  });
  const pulses = fleet.stats().pulses - before;
  await fleet.close();
  return { serverUs: total.serverUs / pulses, wireBytes: total.wireBytes / pulses };
}

async function liveMemory(server: Server, client: StoreClient): Promise<number> {
  await server.ask("FLUSHALL");
  const before = await usedMemory(server);
  await report(server, client, 256);
  return ((await usedMemory(server)) - before) / REPORTS;
}

async function costOf(server: Server, units: number, work: () => Promise<void>): Promise<UnitCost> {
  const bytesBefore = await wireBytes(server);
  const cpuBefore = await serverCpuMs(server);
  await work();
  const cpuMs = (await serverCpuMs(server)) - cpuBefore;
  return { serverUs: (cpuMs * 1000) / units, wireBytes: ((await wireBytes(server)) - bytesBefore) / units };
}

/** Others on the machine only ever make it dearer. */
function cheapest(costs: readonly UnitCost[]): UnitCost {
  return costs.toSorted((one, other) => one.serverUs - other.serverUs)[0]!;
}

async function wireBytes(server: Server): Promise<number> {
  const text = await server.ask("INFO", "stats");
  const count = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(text)?.[1]);
  return count("total_net_input_bytes") + count("total_net_output_bytes");
}

async function usedMemory(server: Server): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await server.ask("INFO", "memory"))?.[1]);
}
