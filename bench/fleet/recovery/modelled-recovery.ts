import { setTimeout as wait } from "node:timers/promises";
import type { FleetMember, StoreFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { type OneCore, type ServiceTimes, startOneCore } from "../../../test/stores/servers/one-core.ts";
import { type Engine, startServer } from "../../../test/stores/servers/server.ts";
import { until } from "../../../test/stores/servers/until.ts";
import { benchFleet, clientNames, fingerprintOf, openClients } from "../bench-fleet.ts";

/** Milliseconds of one core, as `npm run bench fleet` measures them on Redis. A suspicion takes about eleven commands. */
const SERVICE_TIMES: ServiceTimes = {
  connect: 0.14,
  commands: { MGET: 0.024, XRANGE: 0.08, TIME: 0, XADD: 0.02, PFCOUNT: 0.006 },
  other: 0.005,
};

const STEP_MS = 2000;

/** One fleet in this many loops, all on one page. */
const LOOPING = 50;

/** A core with less waiting work than this has caught up. */
const CALM_MS = 100;

/** If fleets are not back by then, the bench fails. */
const PATIENCE_MS = 300_000;

export interface ModelledRecovery {
  readonly title: string;
  readonly fleets: number;
  readonly wereAway: number;
  /** The work that was waiting for the core at the end of the stall. */
  readonly backlogMs: number;
  readonly backMs: number;
  /** Connections made after the first ones. */
  readonly reconnects: number;
}

/** Together 10,000 processes. */
const FLEETS = 250;
const SCALE = 40;
const STALLS_MS = [1_000, 5_000, 30_000];
const SETTLE_MS = 10_000;

/** Measures the recovery after stalls of a modelled store with one core. */
export async function recoverInModel(engine: Engine): Promise<ModelledRecovery[]> {
  const recoveries: ModelledRecovery[] = [];
  for (const stallMs of STALLS_MS) {
    const server = await startServer(engine);
    const model = await startModel({ port: server.port, fleets: FLEETS, scale: SCALE });
    try {
      await model.allBack();
      await wait(SETTLE_MS);
      model.core.stall(stallMs);
      await wait(stallMs);
      const backlogMs = model.core.backlogMs();
      const backMs = await model.allBack();
      const reconnects = model.core.served().connects - FLEETS;
      const title = `a stall of ${stallMs / 1000} s`;
      const wereAway = model.wereAway() * SCALE;
      recoveries.push({ title, fleets: FLEETS * SCALE, wereAway, backlogMs, backMs, reconnects });
    } finally {
      await model.end();
      await server.stop();
    }
  }
  return recoveries;
}

interface ModelOptions {
  /** The port of a real server, which need not be fast. */
  readonly port: number;
  readonly fleets: number;
  /** The number of processes that each fleet stands for. Its commands take this many times as long. */
  readonly scale: number;
}

/** A store with one core, and fleets that load it like `fleets * scale` processes. */
interface Model {
  readonly core: OneCore;
  readonly fleets: readonly StoreFleet[];
  /** Fleets that have considered the store away. */
  wereAway(): number;
  /** Waits until each fleet has had a new answer in time and the core has caught up. Returns how long it took. */
  allBack(): Promise<number>;
  end(): Promise<void>;
}

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

function isFine(fleet: StoreFleet): boolean {
  const { store, queued } = fleet.stats();
  return store === "connected" && queued === 0;
}

function answersOf(fleet: StoreFleet): number {
  const { exchanges, faults } = fleet.stats();
  return exchanges - faults;
}
