import type { FleetMode } from "doomloop/fleet";
import { expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, report, tell } from "../../contracts/fleet.ts";
import { until } from "../servers/until.ts";
import { flushAll, newFleet, newTenant } from "./fleets.ts";
import { onEachEngine } from "./one-server.ts";

onEachEngine("the switch of a fleet", (store) => {
  /** A fleet, its switch, and its notices. */
  const switched = (options: Parameters<typeof newFleet>[1] = {}) => {
    const tenant = newTenant();
    const notices: FleetNotice[] = [];
    const fleet = newFleet(store.client, { tenant, onNotice: (notice) => notices.push(notice), ...options });
    const member = fleet.join({ worker: "one" });
    const key = `dl:{${tenant}}:switch`;
    const set = async (value: string): Promise<FleetMode | undefined> => {
      await store.client.set(key, value);
      await fleet.flush();
      return member.mode?.();
    };
    return { tenant, key, notices, fleet, member, set };
  };

  it("is obeyed at the next heartbeat, even by a process that does nothing else", async () => {
    const { key, member } = switched({ heartbeatMs: 100 });
    await store.client.set(key, "shadow");

    await until("the fleet is in shadow", () => member.mode?.() === "shadow");
  });

  it("silences reports and verdicts when it is off, and only the guards when it is in shadow", async () => {
    const { fleet, member, set } = switched({ calls: 2 });
    const two = fleet.join({ worker: "two" });
    for (const each of [member, two]) tell(each, report(0));
    expect(await set("shadow")).toBe("shadow");
    expect(member.verdict(fingerprint(0))).toMatchObject({ calls: 2 });
    expect(await set("off")).toBe("off");
    expect(member.verdict(fingerprint(0))).toBeUndefined();
    tell(member, report(1));
    expect(fleet.stats().reported).toBe(2);

    expect(await set("on")).toBe("on");
    expect(member.verdict(fingerprint(0))).toMatchObject({ calls: 2 });
  });

  it("stays the same if its key is deleted, or all keys are", async () => {
    const { key, fleet, member, notices, set } = switched();
    expect(await set("off")).toBe("off");
    await store.client.del(key);
    await fleet.flush();
    expect(member.mode?.()).toBe("off");
    await store.client.flushall();
    await fleet.flush();

    expect(member.mode?.()).toBe("off");
    expect(notices).toEqual([{ kind: "mode", mode: "off", because: "switch" }]);
  });

  it("stays the same while the store is away, and if it comes back empty", async () => {
    const { fleet, member, set } = switched({ heartbeatMs: 100 });
    expect(await set("shadow")).toBe("shadow");
    await store.server.kill();
    await store.server.restart();
    const before = fleet.stats().exchanges - fleet.stats().faults;
    await until("the store is heard again", async () => {
      await fleet.flush();
      return fleet.stats().store === "connected" && fleet.stats().exchanges - fleet.stats().faults > before;
    });

    expect(member.mode?.()).toBe("shadow");
  });

  it("stays the same if its key holds no mode, and reports that once", async () => {
    const { notices, set } = switched();
    await set("off");
    notices.splice(0);
    for (const garbage of ['{"mode":"on"}', '{"mode":"on"}', "OFF", " on", "on\n"]) {
      expect(await set(garbage)).toBe("off");
    }

    expect(notices).toEqual(Array(4).fill({ kind: "switch-unreadable" }));
  });

  it("applies to one tenant as a whole, and to no other", async () => {
    const { tenant, set } = switched();
    const [same, other] = [newFleet(store.client, { tenant }), newFleet(store.client)];
    await set("off");
    await flushAll(same, other);

    expect([same, other].map((fleet) => fleet.stats().mode)).toEqual(["off", "on"]);
  });

  it("cannot override a quieter mode of the host", async () => {
    let mode: FleetMode = "shadow";
    const { set } = switched({ mode: () => mode });
    expect([await set("on"), await set("off"), await set("on")]).toEqual(["shadow", "off", "shadow"]);

    mode = "on";
    expect(await set("on")).toBe("on");
  });

  it("is not needed for shadow mode in a process whose runs mostly loop, which affects no other process", async () => {
    const { tenant, fleet, notices } = switched();
    const other = newFleet(store.client, { tenant });
    const members = Array.from({ length: 20 }, (_, run) => fleet.join({ worker: "one", run: String(run) }));
    for (const [at, member] of members.entries()) {
      tell(member, report(at, { fingerprint: fingerprint(at) }));
      if (at < 11) member.looping?.();
    }
    await flushAll(fleet, other);

    expect([fleet, other].map((each) => each.stats().mode)).toEqual(["shadow", "on"]);
    expect(notices).toEqual([{ kind: "mode", mode: "shadow", because: "distrust" }]);
  });
});
