import { readFileSync } from "node:fs";
import { commandsOf } from "../../packages/doomloop/src/fleet/redis/redis-client.ts";
import type { Command } from "../../packages/doomloop/src/fleet/redis/redis-commands.ts";
import type { Server } from "../../test/stores/servers/server.ts";
import { type Address, benchFleet, KEYS, openClients, WINDOW_MS } from "./bench-fleet.ts";
import { fillNews, NEWS, newsKey, suspectOf } from "./unit-costs.ts";

/** Bytes of the server's memory for each item, including keys, expiry and tables. */
export interface Memory {
  /** A fingerprint with this many barren calls by this many processes. */
  readonly suspects: readonly { readonly calls: number; readonly witnesses: number; readonly bytes: number }[];
  /** An entry of the news. */
  readonly news: number;
}

const FINGERPRINTS = 2_000;
const SHAPES = [
  { calls: 1, witnesses: 1 },
  { calls: 10, witnesses: 2 },
  { calls: 100, witnesses: 50 },
];
const CONNECTIONS = 1_000;
const PAGE_BYTES = 4096;

export async function measureMemory(server: Server): Promise<Memory> {
  const [open] = await openClients("ioredis", server, 1);
  const { send } = commandsOf(open!.client);
  const bytesOf = async (count: number, fill: () => Promise<unknown>): Promise<number> => {
    await server.ask("FLUSHALL");
    const before = await dataBytes(server);
    await fill();
    return ((await dataBytes(server)) - before) / count;
  };
  const suspects: { calls: number; witnesses: number; bytes: number }[] = [];
  for (const shape of SHAPES) {
    const fill = async (): Promise<void> => {
      for (let at = 0; at < FINGERPRINTS; at++) await send(suspectCommands(at, shape));
    };
    suspects.push({ ...shape, bytes: await bytesOf(FINGERPRINTS, fill) });
  }
  await fillNews(open!);
  const news = Number(await server.ask("MEMORY", "USAGE", newsKey(), "SAMPLES", "0")) / NEWS;
  open!.close();
  return { suspects, news };
}

/** Everything that a fleet adds to the store for a suspect. */
function suspectCommands(at: number, shape: { readonly calls: number; readonly witnesses: number }): Command[] {
  const { calls, witnesses } = KEYS.of(suspectOf(at).name);
  const names = (count: number): string[] => Array.from({ length: count }, (_, of) => `process ${of}`);
  return [
    ["PFADD", calls, ...names(shape.calls)],
    ["PEXPIRE", calls, String(WINDOW_MS), "NX"],
    ["PFADD", witnesses, ...names(shape.witnesses)],
    ["PEXPIRE", witnesses, String(WINDOW_MS), "NX"],
  ];
}

/** Memory of the server without its connections. */
async function dataBytes(server: Server): Promise<number> {
  const text = await server.ask("INFO", "memory");
  const numberOf = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(text)?.[1]);
  return numberOf("used_memory") - numberOf("mem_clients_normal");
}

/** Memory of the server's process for an open connection with a heartbeat. Includes TLS, which the server's own figure leaves out. */
export async function connectionBytes(server: Server, address: Address): Promise<number> {
  const before = residentBytes(server.pid);
  const clients = await openClients("ioredis", address, CONNECTIONS);
  const fleets = clients.map(({ client }, at) => benchFleet(at, client));
  await Promise.all(fleets.map((fleet) => fleet.flush()));
  const bytes = (residentBytes(server.pid) - before) / CONNECTIONS;
  await Promise.all(fleets.map((fleet) => fleet.close()));
  for (const { close } of clients) close();
  return bytes;
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
}
