import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { isFull } from "../../campaign-size.ts";
import type { CLIENTS, StorePlace } from "../servers/clients.ts";
import { type Engine, engines, isInstalled } from "../servers/server.ts";
import { stores } from "../servers/stores.ts";
import { dead, honest, type Page, type Swarm, startSwarm, type Work } from "./swarm.ts";

/** `npm run bench fleet` measures twenty. */
const PROCESSES = 6;
const HONEST_MS = 10_000;
const AWAY_MS = 5_000;
/** Clients have connected again. */
const SETTLE_MS = 8_000;

type Place = readonly [kind: StorePlace["kind"], client: (typeof CLIENTS)[number]];

async function start(engine: Engine, [kind, client]: Place, { onTestFinished }: TestContext) {
  const store = await stores[kind](engine);
  onTestFinished(() => store.stop());
  const swarm = await startSwarm(PROCESSES, client, store);
  onTestFinished(() => swarm.stop());
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

// A store keeps its contract on each engine (test/stores/fleet). What a swarm makes of it is tried on one, unless there is time.
const tried = engines.filter(isInstalled).slice(isFull ? 0 : -1);

describe.each(tried)("a swarm on %s", (engine) => {
  it.concurrent.for<Place>([
    ["server", "ioredis"],
    ["server", "iovalkey"],
    ["server", "redis"],
    ["cluster", "iovalkey"],
    ["cluster", "redis"],
    ["sentinel", "redis"],
  ])("is told of a dead end, forgets it where it works, and is never told falsely: %s, %s", async (place, context) => {
    const { swarm } = await start(engine, place, context);
    swarm.work(honest, 50);
    await wait(HONEST_MS);
    expectUnharmed(await swarm.rest());
    expect(swarm.told).toEqual([]);

    await expectPromises(swarm, dead(1));
    expect(swarm.found()).toBe(1);
  });

  it.concurrent.for<Place>([
    ["server", "ioredis"],
    ["cluster", "ioredis"],
    ["sentinel", "ioredis"],
  ])("goes on while its server is killed, and finds dead ends when it is back: %s", async (place, context) => {
    const { swarm, victim } = await start(engine, place, context);
    swarm.work(honest, 50);
    await wait(1_000);
    await victim.kill();
    await wait(AWAY_MS);
    await victim.restart();
    await wait(SETTLE_MS);
    expectUnharmed(await swarm.rest());
    expect(swarm.told).toEqual([]);

    await expectPromises(swarm, dead(2));
  });
});
