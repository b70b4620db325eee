import type { Server } from "../../test/stores/servers/server.ts";
import { benchFleet, fingerprintOf } from "./bench-fleet.ts";
import type { Figure } from "./figure.ts";
import { openClient } from "./store-client.ts";

const FINGERPRINTS = 20_000;

/** Shapes of fingerprints: how many calls by how many workers. */
const SHAPES = [
  { calls: 1, workers: 1 },
  { calls: 10, workers: 2 },
  { calls: 128, workers: 64 },
];

/** Memory that the server takes for a live fingerprint: all of it, with the key, its expiry and the tables they are in. */
export async function room(server: Server): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { calls, workers } of SHAPES) {
    await server.ask("FLUSHALL");
    const count = Math.ceil(FINGERPRINTS / calls);
    const before = await usedMemory(server);
    await fill(server, count, calls, workers);
    const bytes = ((await usedMemory(server)) - before) / count;
    figures.push({
      what: `memory of a live fingerprint, ${calls} calls by ${workers} workers`,
      measured: bytes,
      unit: "bytes",
      detail: `${count} of them; MEMORY USAGE of one says ${await keyMemory(server)} bytes`,
    });
  }
  return figures;
}

async function fill(server: Server, count: number, calls: number, workers: number): Promise<void> {
  const client = await openClient("ioredis", server.port);
  const fleet = benchFleet(client.client);
  const members = Array.from({ length: workers }, (_, at) => fleet.join({ worker: `worker-${at}` }));
  for (let of = 0; of < count; of++) {
    for (let call = 0; call < calls; call++) {
      members[call % workers]!.report({
        id: `${of}.${call}`,
        fingerprint: fingerprintOf(of),
        tool: "fetch",
        isBarren: true,
      });
    }
  }
  await fleet.close();
  client.close();
}

async function usedMemory(server: Server): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await server.ask("INFO", "memory"))?.[1]);
}

/** Of a key that holds the calls of a fingerprint. */
async function keyMemory(server: Server): Promise<number> {
  for (;;) {
    const key = await server.ask("RANDOMKEY");
    if (key === "") throw new Error("bench: no key in the store");
    if (!key.includes(":control}")) return Number(await server.ask("MEMORY", "USAGE", key, "SAMPLES", "0"));
  }
}
