import { createRedisFleet, type FleetMode, type RedisFleetOptions } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { fingerprint, manualClock, report, reports, tell } from "../../../../../test/contracts/fleet.ts";
import type { FleetNotice } from "../process/store-fleet-options.ts";
import type { NodeRedisClient } from "./redis-client.ts";

const key = "a key of sixteen bytes";

/** A client that never answers, unless a test changes it. */
function clientThat(send: (words: readonly string[]) => Promise<unknown> = () => Promise.reject(new Error("closed"))) {
  const client: NodeRedisClient = { isOpen: false, sendCommand: (...[words]) => send(words!), on: () => client };
  return client;
}

function fleetOf(client: NodeRedisClient = clientThat(), options: Partial<RedisFleetOptions> = {}) {
  const notices: FleetNotice[] = [];
  const fleet = createRedisFleet({ client, key, onNotice: (notice) => notices.push(notice), ...options });
  return { fleet, notices, one: fleet.join({ worker: "one" }), two: fleet.join({ worker: "two" }) };
}

describe("a fleet over Redis", () => {
  it.each([undefined, null, "redis://127.0.0.1", {}, { get() {} }, { pipeline() {} }, { sendCommand() {} }])(
    "refuses %o as a client",
    (client) => {
      expect(() => createRedisFleet({ client, key } as unknown as RedisFleetOptions)).toThrow(
        expect.objectContaining({ code: "invalid-option", message: expect.stringContaining("fleet: client: one of") }),
      );
    },
  );

  it.each([{ keyPrefix: "app:" }, { redisOptions: { keyPrefix: "app:" } }])(
    "refuses a client that changes the names of keys: %o",
    (options) => {
      const client = { status: "ready", pipeline: () => ({ exec: async () => [] }), on: () => {}, options };

      expect(() => createRedisFleet({ client, key })).toThrow("fleet: client: one without keyPrefix is required");
    },
  );

  it("counts the workers of its own process while the store is away, reports that, and allows its own share of stops", async () => {
    const { fleet, notices, one, two } = fleetOf(undefined, { maxStoppedShare: 0.5 });
    for (const member of [one, two]) tell(member, ...reports(5));
    for (let asked = 0; asked < 3; asked++) await fleet.flush();

    expect(one.verdict(fingerprint(0))).toEqual({ calls: 10, workers: 2, windowMs: 300_000 });
    expect(fleet.findings()).toMatchObject([{ calls: 10, workerNames: ["one", "two"] }]);
    expect([one, two, one].map((member) => member.mayStop?.())).toEqual([true, false, true]);
    expect(notices).toEqual([{ kind: "store-away", reason: "closed" }]);
    expect(fleet.stats()).toMatchObject({ store: "away", reported: 10, delivered: 0, lost: 10, queued: 0 });
    await fleet.close();
  });

  it("listens to a client's errors once, however many fleets it serves", async () => {
    let listeners = 0;
    const client: NodeRedisClient = { ...clientThat(), on: () => listeners++ };
    const fleets = [fleetOf(client).fleet, fleetOf(client).fleet];

    expect(listeners).toBe(1);
    await Promise.all(fleets.map((fleet) => fleet.close()));
  });

  it("reads the host's mode while the store is away", async () => {
    let mode: FleetMode = "on";
    const { fleet, one } = fleetOf(undefined, { mode: () => mode });
    await fleet.flush();
    mode = "off";
    await fleet.flush();

    expect(one.mode?.()).toBe("off");
    await fleet.close();
  });

  it("learns in a flush what was written before it, even if a heartbeat was under way", async () => {
    const answers: (() => void)[] = [];
    let said = "on";
    // The reply holds what the store has at the time of the request, and arrives when the test says so.
    const client = clientThat(([name]) => {
      const reply = name === "MGET" ? [said, null, null] : "agreed";
      return new Promise((resolve) => answers.push(() => resolve(reply)));
    });
    const { fleet, one } = fleetOf(client, { deadlineMs: 60_000 });
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    said = "off";
    const flushed = fleet.flush();
    const answer = setInterval(() => answers.shift()?.(), 1);
    await flushed;
    clearInterval(answer);

    expect(one.mode?.()).toBe("off");
  });

  it("goes on without throwing when its clock fails", async () => {
    const clock = manualClock();
    const failing = { now: clock.now };
    const { fleet, one } = fleetOf(undefined, { now: () => failing.now() });
    failing.now = () => {
      throw new Error("no clock");
    };
    tell(one, report(0));
    expect(() => one.mayStop?.()).not.toThrow();
    await expect(fleet.flush()).resolves.toBeUndefined();
    expect(() => fleet.stats()).not.toThrow();
    await expect(fleet.close()).resolves.toBeUndefined();
  });

  it("leaves its members on their own when it is closed", async () => {
    // Its place in the fleet's queue never comes up.
    const client = clientThat(async ([name]) => (name === "MGET" ? [null, null, null] : 1000));
    const { fleet, one } = fleetOf(client, { stopsWhenAway: "alone" });
    tell(one, report(0));
    await fleet.flush();
    expect([fleet.stats().store, one.mayStop?.()]).toEqual(["connected", false]);
    await fleet.close();

    expect(one.mayStop?.()).toBe(true);
    tell(one, report(1));
    await fleet.flush();
    expect(fleet.stats()).toMatchObject({ delivered: 1, lost: 1, queued: 0 });
  });
});
