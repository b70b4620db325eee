import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { CLIENTS, StorePlace } from "../servers/clients.ts";
import { type Engine, engines, isInstalled } from "../servers/server.ts";
import { type Store, stores } from "../servers/stores.ts";
import { dead, honest, type Page, type Swarm, startSwarm, type Work } from "./swarm.ts";

/** `npm run bench fleet` measures twenty. */
const PROCESSES = 6;
const HONEST_MS = 10_000;
const AWAY_MS = 5_000;
/** Clients have connected again. */
const SETTLE_MS = 8_000;

let store: Store | undefined;
let swarm: Swarm | undefined;
afterEach(async () => {
  await swarm?.stop();
  await store?.stop();
  store = undefined;
  swarm = undefined;
});

async function start(kind: StorePlace["kind"], engine: Engine, client: (typeof CLIENTS)[number]) {
  store = await stores[kind](engine);
  swarm = await startSwarm(PROCESSES, client, store);
  return { victim: store.victim, swarm };
}

/** No time is compared here: on a slow machine, a call may take long. */
function expectUnharmed({ calls, stopped }: Work): void {
  expect(calls).toBeGreaterThan(0);
  expect(stopped).toBe(0);
}

/** All are told of a page that is gone, and none takes it for a dead end when it works. `until` gives up if that does not come. */
async function expectPromises(swarm: Swarm, page: Page): Promise<void> {
  await swarm.timeUntilTold(page);
  await swarm.timeUntilCleared(page);
}

describe.each(engines.filter(isInstalled))("a swarm on %s", (engine) => {
  it.each([
    ["server", "ioredis"],
    ["server", "iovalkey"],
    ["server", "redis"],
    ["cluster", "iovalkey"],
    ["cluster", "redis"],
    ["sentinel", "redis"],
  ] as const)(
    "is told of a dead end, forgets it where it works, and is never told falsely: %s, %s",
    async (kind, client) => {
      const { swarm } = await start(kind, engine, client);
      swarm.work(honest, 50);
      await wait(HONEST_MS);
      expectUnharmed(await swarm.rest());
      expect(swarm.told).toEqual([]);

      await expectPromises(swarm, dead(1));
      expect(swarm.found()).toBe(1);
    },
  );

  it.each(["server", "cluster", "sentinel"] as const)(
    "goes on while its server is killed, and finds dead ends when it is back: %s",
    async (kind) => {
      const { swarm, victim } = await start(kind, engine, "ioredis");
      swarm.work(honest, 50);
      await wait(1_000);
      await victim.kill();
      await wait(AWAY_MS);
      await victim.restart();
      await wait(SETTLE_MS);
      expectUnharmed(await swarm.rest());
      expect(swarm.told).toEqual([]);

      await expectPromises(swarm, dead(2));
    },
  );
});
