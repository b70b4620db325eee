import { Redis } from "ioredis";
import { expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, manualClock, report, tell } from "../../contracts/fleet.ts";
import { flushAll, newFleet, newTenant } from "./fleets.ts";
import { onEachEngine } from "./one-server.ts";

onEachEngine("a store that answers but rejects writes", (store) => {
  const watched = (options: Parameters<typeof newFleet>[1] = {}) => {
    const notices: FleetNotice[] = [];
    const states: string[] = [];
    const observer = { onState: (state: string) => states.push(state), onFlush() {} };
    const fleet = newFleet(store.client, { onNotice: (notice) => notices.push(notice), observer, ...options });
    return { fleet, notices, states, member: fleet.join({ worker: "one" }) };
  };

  it.each([
    ["has no memory left", "OOM", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]],
    ["is a replica", "READONLY", ["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]],
  ])("is reported once if it %s", async (_, reason, begin, end) => {
    const { fleet, member, notices, states } = watched();
    tell(member, report(0));
    await fleet.flush();
    await store.server.ask(...begin);
    for (const id of [1, 2]) {
      tell(member, report(id));
      await fleet.flush();
    }
    expect(notices).toEqual([{ kind: "reports-refused", reason: expect.stringContaining(reason) }]);
    expect([states.at(-1), fleet.stats()]).toMatchObject(["degraded", { store: "connected", delivered: 1, lost: 2 }]);

    await store.server.ask(...end);
    tell(member, report(3));
    await flushAll(fleet, fleet);
    expect([states.at(-1), fleet.stats()]).toMatchObject(["connected", { delivered: 2, lost: 2 }]);
  });

  it.each(["setnx", "strlen", "time", "append", "pfadd"])("is reported once if a user may not %s", async (command) => {
    const tenant = newTenant();
    await store.client.call("ACL", "SETUSER", "limited", "reset", "on", ">password", "~*", "+@all", `-${command}`);
    const client = new Redis({ port: store.server.port, username: "limited", password: "password" });
    const notices: FleetNotice[] = [];
    const limited = newFleet(client, { tenant, calls: 2, onNotice: (notice) => notices.push(notice) });
    const other = newFleet(store.client, { tenant, calls: 2, heartbeatMs: 3_600_000 });
    const [one, two] = [limited.join({ worker: "one" }), other.join({ worker: "two" })];
    for (const of of [1, 2, 3, 4]) {
      for (const member of [one, two]) tell(member, report(0, { fingerprint: fingerprint(of) }));
      await other.flush();
      await store.client.del(`dl3:{${tenant}}:settings`);
      // The limited user makes a dead end, adds it to the news, reads the news, and writes the settings.
      await flushAll(limited, limited);
    }

    expect(notices).toEqual([{ kind: "reports-refused", reason: expect.stringContaining(command) }]);
    client.disconnect();
  });

  it("receives no more fingerprints in a minute than a tenant's quota, over all its processes", async () => {
    const tenant = newTenant();
    const clock = manualClock();
    const { fleet, member, notices } = watched({ tenant, tenantQuota: 20, now: clock.now });
    // Another process has three times as many active runs.
    const other = newFleet(store.client, { tenant });
    for (const run of ["a", "b", "c"]) tell(other.join({ worker: "two", run }), report(0, { isBarren: undefined }));
    tell(member, report(0, { isBarren: undefined }));
    await flushAll(other, fleet);
    for (let of = 0; of < 8; of++) tell(member, report(0, { fingerprint: fingerprint(of) }));
    await flushAll(fleet, fleet);
    expect(notices).toEqual([{ kind: "quota-reached" }]);
    expect(fleet.stats()).toMatchObject({ delivered: 5, queued: 3, lost: 0 });

    clock.at += 60_000;
    tell(member, report(0, { fingerprint: fingerprint(9) }));
    await flushAll(fleet, fleet);
    // What waited for more than half a minute is lost.
    expect(fleet.stats()).toMatchObject({ delivered: 6, queued: 0, lost: 3 });
    expect(notices).toHaveLength(1);
  });
});
