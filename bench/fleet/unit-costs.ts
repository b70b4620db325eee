import type { StoreFleet } from "../../packages/doomloop/src/fleet/index.ts";
import { newsLine, PAGE } from "../../packages/doomloop/src/fleet/redis/news-log.ts";
import { commandsOf } from "../../packages/doomloop/src/fleet/redis/redis-client.ts";
import type { Command } from "../../packages/doomloop/src/fleet/redis/redis-commands.ts";
import type { Suspect } from "../../packages/doomloop/src/fleet/store.ts";
import type { Server } from "../../test/stores/servers/server.ts";
import {
  type Address,
  benchFleet,
  fingerprintOf,
  KEYS,
  openClients,
  type StoreClient,
  WINDOW_MS,
} from "./bench-fleet.ts";
import { times, type UnitCost, unitCost, without } from "./server-costs.ts";

/** What each part of a fleet's traffic costs the server. The figures for larger fleets are computed from these. */
export interface UnitCosts {
  /** What a healthy process sends every five seconds. */
  readonly heartbeat: UnitCost;
  /** The announcement of its runs, four times a window, in addition to a heartbeat. */
  readonly census: UnitCost;
  /** A barren call with a fingerprint that nobody has reported yet. */
  readonly suspicion: UnitCost;
  /** The same, as one of sixteen that are sent together. */
  readonly suspicionOf16: UnitCost;
  /** A barren call that fifty processes have made a hundred times. */
  readonly knownSuspicion: UnitCost;
  readonly announcement: UnitCost;
  /** Reading one line of the news, and a page. */
  readonly oneOfNews: UnitCost;
  readonly pageOfNews: UnitCost;
}

const FLEETS = 50;
const ROUNDS = 7;
const BEATS = 60;
export const NEWS = 256;
const RUNS = 10_000;
const quiet = { heartbeatMs: 3_600_000, deadlineMs: 60_000, tenantQuota: 1_000_000_000 };

export async function unitCosts(server: Server): Promise<UnitCosts> {
  const clients = await openClients("ioredis", server, FLEETS);
  await server.ask("FLUSHALL");
  const heartbeat = await heartbeatCost(server, server);
  const census = without(await censusCost(server, clients), heartbeat);
  const suspicion = without(await suspicionCost(server, clients, 1), heartbeat);
  const of16 = without(await suspicionCost(server, clients, 16), heartbeat);
  const knownSuspicion = without(await knownCost(server, clients), heartbeat);
  const news = await newsCosts(server, clients);
  for (const { close } of clients) close();
  return { heartbeat, census, suspicion, suspicionOf16: times(of16, 1 / 16), knownSuspicion, ...news };
}

/** A flush of a fleet that has nothing to report is one heartbeat. */
export async function heartbeatCost(server: Server, address: Address): Promise<UnitCost> {
  const clients = await openClients("ioredis", address, FLEETS);
  const fleets = clients.map(({ client }, at) => benchFleet(at, client, quiet));
  const cost = await unitCost(server, FLEETS * BEATS, ROUNDS, () => inAll(fleets, BEATS, (fleet) => fleet.flush()));
  await closeAll(fleets);
  for (const { close } of clients) close();
  return cost;
}

/** The store has many other runs, and each beat adds an unknown one, so that each count is computed again. */
async function censusCost(server: Server, clients: readonly StoreClient[]): Promise<UnitCost> {
  const runs = Array.from({ length: RUNS }, (_, at) => `other run ${at}`);
  await commandsOf(clients[0]!.client).send([["PFADD", KEYS.runs, ...runs]]);
  const clocks = clients.map(() => ({ ms: 0 }));
  const fleets = clients.map(({ client }, at) => benchFleet(at, client, { ...quiet, now: () => clocks[at]!.ms }));
  const beats = 10;
  const cost = await unitCost(server, FLEETS * beats, ROUNDS, (round) =>
    inAll(fleets, beats, (fleet, beat, at) => {
      clocks[at]!.ms += WINDOW_MS + 1;
      const member = fleet.join({ worker: "worker", run: `${round} ${beat} ${at}` });
      member.report({ id: "1", fingerprint: fingerprintOf(0), tool: "fetch", isBarren: false });
      return fleet.flush();
    }),
  );
  await closeAll(fleets);
  return cost;
}

/** The cost of a flush that reports several new fingerprints. */
async function suspicionCost(server: Server, clients: readonly StoreClient[], together: number): Promise<UnitCost> {
  const fleets = clients.map(({ client }, at) => benchFleet(at, client, quiet));
  const members = fleets.map((fleet) => fleet.join({ worker: "worker" }));
  let next = 0;
  const flushes = 20;
  const cost = await unitCost(server, FLEETS * flushes, ROUNDS, () =>
    inAll(fleets, flushes, (fleet, _, at) => {
      for (let of = 0; of < together; of++) reportBarren(members[at]!, next++);
      return fleet.flush();
    }),
  );
  await closeAll(fleets);
  return cost;
}

async function knownCost(server: Server, clients: readonly StoreClient[]): Promise<UnitCost> {
  const fleets = clients.map(({ client }, at) => benchFleet(at, client, { ...quiet, calls: 100 }));
  const members = fleets.map((fleet) => fleet.join({ worker: "worker" }));
  let next = 0;
  const flushes = 20;
  const cost = await unitCost(server, FLEETS * flushes, ROUNDS, () =>
    inAll(fleets, flushes, (fleet, _, at) => {
      members[at]!.report({ id: String(next++), fingerprint: fingerprintOf(2 ** 29), tool: "fetch", isBarren: true });
      return fleet.flush();
    }),
  );
  await closeAll(fleets);
  return cost;
}

async function newsCosts(server: Server, clients: readonly StoreClient[]) {
  await fillNews(clients[0]!);
  const cost = async (commands: (at: number) => readonly Command[]): Promise<UnitCost> => {
    const sends = clients.map(({ client }) => commandsOf(client).send);
    return unitCost(server, FLEETS * BEATS, ROUNDS, () => inAll(sends, BEATS, (send, beat) => send(commands(beat))));
  };
  const announcement = await cost((at) => announcementOf(at));
  const length = Number(await server.ask("STRLEN", newsKey()));
  const line = newsLine(suspectOf(0), Date.now()).length;
  return {
    announcement,
    oneOfNews: await cost(() => [["GETRANGE", newsKey(), String(length - line), String(length - 1)]]),
    pageOfNews: await cost(() => [["GETRANGE", newsKey(), "0", String(PAGE - 1)]]),
  };
}

/** What a process sends to announce a suspect. */
function announcementOf(at: number): Command[] {
  return [
    ["APPEND", newsKey(), newsLine(suspectOf(at), Date.now())],
    ["PEXPIRE", newsKey(), String(2 * WINDOW_MS), "LT"],
  ];
}

/** The key of the window in which the bench runs: server and bench share a clock. */
export function newsKey(): string {
  return KEYS.news(Math.floor(Date.now() / WINDOW_MS));
}

/** Fills the news with many lines, each about another fingerprint. */
export async function fillNews({ client }: StoreClient): Promise<void> {
  const { send } = commandsOf(client);
  for (let at = 0; at < NEWS; at++) await send(announcementOf(at));
}

export function suspectOf(at: number): Suspect {
  const name = at.toString(36).padStart(22, "_");
  return { name, tool: "fetch_page", calls: 10, workers: 5, lastsMs: WINDOW_MS };
}

function reportBarren(member: ReturnType<StoreFleet["join"]>, page: number): void {
  member.report({ id: String(page), fingerprint: fingerprintOf(page), tool: "fetch_page", isBarren: true });
}

/** Runs an action several times for each item, one after another; all items run at the same time. */
async function inAll<Item>(
  items: readonly Item[],
  often: number,
  act: (item: Item, turn: number, at: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    items.map(async (item, at) => {
      for (let turn = 0; turn < often; turn++) await act(item, turn, at);
    }),
  );
}

async function closeAll(fleets: readonly StoreFleet[]): Promise<void> {
  await Promise.all(fleets.map((fleet) => fleet.close()));
}
