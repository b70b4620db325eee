import type { FleetMember, RedisFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { type OneCore, type ServiceTimes, startOneCore } from "../../../test/stores/servers/one-core.ts";
import { until } from "../../../test/stores/servers/until.ts";
import { benchFleet, fingerprintOf } from "../bench-fleet.ts";
import { clientNames, openClients } from "../store-client.ts";

/** Milliseconds of one core, as `npm run bench:fleet` measures them on Redis. A suspicion is some eleven commands. */
export const SERVICE_TIMES: ServiceTimes = {
  connect: 0.14,
  commands: { MGET: 0.024, XRANGE: 0.08, TIME: 0, XADD: 0.02, PFCOUNT: 0.006 },
  other: 0.005,
};

export interface ModelOptions {
  /** A real server, which does not need to be fast. */
  readonly port: number;
  readonly fleets: number;
  /** How many processes each of the fleets stands for: so many times as long takes what it asks for. */
  readonly scale: number;
}

/** A store of one core, with fleets that load it as `fleets * scale` processes would. */
export interface Model {
  readonly core: OneCore;
  readonly fleets: readonly RedisFleet[];
  /** Fleets that have taken the store to be away. */
  wereAway(): number;
  /** Waits until each fleet has had an answer in time, from now on, and nothing waits in front of the core. Returns how long it took. */
  allBack(): Promise<number>;
  end(): Promise<void>;
}

const STEP_MS = 2000;
/** One of so many loops, all of these on one page. */
const LOOPING = 50;
/** What waits in front of a core that has no work left over. */
const CALM_MS = 100;
/** What is not back by then does not come back. */
const PATIENCE_MS = 300_000;

export async function startModel({ port, fleets: count, scale }: ModelOptions): Promise<Model> {
  const core = await startOneCore(port, scaledTimes(scale));
  const each = count / clientNames.length;
  const open = await Promise.all(clientNames.map((name) => openClients(name, core, each)));
  const clients = open.flat();
  const away = new Set<number>();
  const fleets = clients.map(({ client }, at) =>
    benchFleet(at, client, { onNotice: ({ kind }) => kind === "store-away" && away.add(at) }),
  );
  const members = fleets.map((fleet, at) => fleet.join({ worker: `agent ${at}`, run: "1" }));
  const stepping = setInterval(() => members.forEach(step), STEP_MS);

  return {
    ...{ core, fleets, wereAway: () => away.size },
    async allBack() {
      const start = performance.now();
      const waiting = new Map(fleets.map((fleet) => [fleet, answersOf(fleet)]));
      const isOver = (): boolean => {
        for (const [fleet, before] of waiting) if (isFine(fleet) && answersOf(fleet) > before) waiting.delete(fleet);
        return waiting.size === 0 && core.backlogMs() < CALM_MS;
      };
      await until("all fleets are back", isOver, { withinMs: PATIENCE_MS });
      return performance.now() - start;
    },
    async end() {
      clearInterval(stepping);
      await Promise.all(fleets.map((fleet) => fleet.close()));
      for (const { close } of clients) close();
      await core.close();
    },
  };
}

function scaledTimes(scale: number): ServiceTimes {
  const { connect, commands, other } = SERVICE_TIMES;
  const scaled = Object.entries(commands).map(([name, ms]) => [name, ms * scale] as const);
  return { connect: connect * scale, commands: Object.fromEntries(scaled), other: other * scale };
}

function step(member: FleetMember, at: number): void {
  const isBarren = at % LOOPING === 0;
  const fingerprint = fingerprintOf(isBarren ? 0 : Math.floor(performance.now()) + at);
  member.report({ id: String(performance.now()), fingerprint, tool: "fetch_page", isBarren });
}

function isFine(fleet: RedisFleet): boolean {
  const { store, queued } = fleet.stats();
  return store === "connected" && queued === 0;
}

function answersOf(fleet: RedisFleet): number {
  const { exchanges, faults } = fleet.stats();
  return exchanges - faults;
}
