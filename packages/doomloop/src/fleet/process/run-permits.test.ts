import { describe, expect, it } from "vitest";
import { createRunPermits } from "./run-permits.ts";
import { resolveStoreOptions, type StoreFleetOptions } from "./store-fleet-options.ts";
import type { StoreLink, StoreState } from "./store-link.ts";

const windowMs = 60_000;

/** The permits of a process, and a store that counts the runs that ask. */
function permitsOf(options: Partial<StoreFleetOptions> = {}, store: StoreState = "connected") {
  const settings = resolveStoreOptions({ key: "a key of sixteen bytes", windowMs, ...options });
  const world = { at: 0, store, asked: 0, stops: 0, stopsEnd: 0, runs: 0 };
  const link = { state: () => world.store } as StoreLink;
  const permits = createRunPermits(
    { settings, link },
    () => world.at,
    () => void world.asked++,
  );
  /** Asks what waits to be asked, and passes on the store's answer. */
  const exchange = () => {
    const request = permits.request();
    if (world.at >= world.stopsEnd) world.stops = 0;
    const places = Array.from({ length: request?.places ?? 0 }, () => {
      if (world.stops === 0) world.stopsEnd = world.at + windowMs;
      return ++world.stops;
    });
    request?.take({ places, runs: world.runs });
    return request;
  };
  const mayStop = (count: number): number => runs(count).filter((run) => permits.mayStop(run)).length;
  return { world, permits, exchange, mayStop };
}

const runs = (count: number): string[] => Array.from({ length: count }, (_, at) => `run ${at}`);

describe("permits to stop a run", () => {
  it("are requested from the store, which grants them to a tenth of the fleet's runs", () => {
    const { world, exchange, mayStop } = permitsOf();
    world.runs = 30;
    expect(mayStop(20)).toBe(0);
    expect(world.asked).toBe(20);
    exchange();

    expect(mayStop(20)).toBe(3);
  });

  it("take one place in the queue, however often a run asks, and are granted once the fleet has grown", () => {
    const { world, exchange, mayStop } = permitsOf();
    world.runs = 10;
    for (let asked = 0; asked < 10; asked++) {
      mayStop(20);
      exchange();
    }
    expect([mayStop(20), world.stops]).toEqual([1, 20]);

    world.runs = 100;
    exchange();
    expect(mayStop(20)).toBe(10);
  });

  it("start again with the next window", () => {
    const { world, exchange, mayStop } = permitsOf();
    world.runs = 10;
    mayStop(5);
    exchange();
    expect(mayStop(5)).toBe(1);

    world.at = windowMs + 1;
    expect(mayStop(5)).toBe(0);
    exchange();
    expect(mayStop(5)).toBe(1);
  });

  it("number one in a small fleet, and zero if the share is 0", () => {
    for (const [maxStoppedShare, stopped] of [
      [0.1, 1],
      [0, 0],
      [1, 4],
    ] as const) {
      const { world, exchange, mayStop } = permitsOf({ maxStoppedShare });
      world.runs = 4;
      mayStop(4);
      exchange();
      expect(mayStop(4)).toBe(stopped);
    }
  });

  it.each(["connecting", "away"] as const)("are the process's own share while its store is %s", (store) => {
    const { world, permits, mayStop } = permitsOf({}, store);
    for (const run of runs(30)) permits.active(run);
    expect([mayStop(30), mayStop(30), world.asked]).toEqual([3, 3, 0]);

    world.at = windowMs + 1;
    for (const run of runs(10)) permits.active(run);
    expect(mayStop(30)).toBe(1);
  });

  it("are not granted in a process of few runs while the store is away: many such processes would stop the whole fleet", () => {
    const { permits, mayStop } = permitsOf({}, "away");
    for (const run of runs(9)) permits.active(run);
    expect(mayStop(9)).toBe(0);
  });

  it("are never or always granted while the store is away, if the option says so", () => {
    expect(permitsOf({ stopsWhenAway: "none" }, "away").mayStop(5)).toBe(0);
    expect(permitsOf({ stopsWhenAway: "alone" }, "away").mayStop(5)).toBe(5);
  });

  it("are not granted if the store does not say which place a run has", () => {
    const { permits, mayStop } = permitsOf();
    mayStop(2);
    permits.request()?.take({ places: [Infinity], runs: 100 });
    expect(mayStop(2)).toBe(0);
  });
});

describe("the runs of a process", () => {
  it("are written even if there are none, as rarely, to find out whether the store accepts writes", () => {
    const { world, permits } = permitsOf();
    let tried = 0;
    for (; world.at < windowMs; world.at += 1000) {
      if (permits.request(true)?.runs.length === 0) tried++;
    }

    expect(tried).toBe(4);
  });

  it("are announced four times in a window, and not at all while there are none", () => {
    const { world, permits, exchange } = permitsOf();
    expect(exchange()).toBeUndefined();
    permits.active("run");
    let told = 0;
    for (; world.at < windowMs; world.at += 1000) {
      permits.active("run");
      if (exchange() !== undefined) told++;
    }

    expect(told).toBe(4);
  });

  it("are forgotten after a window, and so is that they loop", () => {
    const { world, permits } = permitsOf();
    for (const run of runs(3)) permits.active(run);
    permits.looping("run 0");
    expect(permits.counts()).toEqual({ fleet: 0, active: 3, looping: 1 });

    world.at = windowMs + 1;
    permits.active("run 1");
    expect(permits.counts()).toEqual({ fleet: 0, active: 1, looping: 0 });
  });

  it("are announced as far as they are remembered", () => {
    const { permits, exchange } = permitsOf();
    for (const run of runs(20_000)) permits.active(run);

    const told = exchange()?.runs;
    expect([told?.length, told?.at(-1), permits.counts().active]).toEqual([10_000, "run 19999", 10_000]);
  });
});
