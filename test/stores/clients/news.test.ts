import type { FleetNotice } from "doomloop/fleet";
import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { fingerprint, report, tell } from "../../contracts/fleet.ts";
import { flushAll, newFleet, newFleets, newTenant } from "./fleets.ts";
import { onEachEngine } from "./one-server.ts";

onEachEngine("the news of a fleet", (store) => {
  const newsOf = (tenant: string): string => `dl2:{${tenant}}:news`;
  const statistic = async (section: string, name: string): Promise<number> => {
    const text = await store.client.info(section);
    return Number(new RegExp(`^${name}:(?:calls=)?(\\d+)`, "m").exec(text)?.[1] ?? 0);
  };

  it("are read in pages by one who joins, each once, and cost the store a bounded number of bytes", async () => {
    const [one, two, late] = newFleets(3, store.client, { calls: 2, heartbeatMs: 3_600_000 });
    const tool = "x".repeat(200);
    for (const [at, fleet] of [one!, two!].entries()) {
      const member = fleet.join({ worker: String(at) });
      for (let of = 0; of < 200; of++) tell(member, report(0, { fingerprint: fingerprint(of), tool }));
      await fleet.flush();
    }
    // Its first heartbeat found nothing.
    const [pages, bytes] = [
      await statistic("commandstats", "cmdstat_xrange"),
      await statistic("stats", "total_net_output_bytes"),
    ];
    await late!.flush();
    expect(late!.findings()).toHaveLength(200);
    expect((await statistic("commandstats", "cmdstat_xrange")) - pages).toBe(4);
    const kilobytes = ((await statistic("stats", "total_net_output_bytes")) - bytes) / 1024;
    expect(kilobytes).toBeLessThan(80);

    for (let beat = 0; beat < 3; beat++) await late!.flush();
    expect((await statistic("commandstats", "cmdstat_xrange")) - pages).toBe(4);
  });

  it("are no more than 256, however many there were", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2 }));
    for (const [at, fleet] of [one!, two!].entries()) {
      const member = fleet.join({ worker: String(at) });
      for (let of = 0; of < 400; of++) tell(member, report(0, { fingerprint: fingerprint(of) }));
      await fleet.flush();
    }

    expect(await store.client.xlen(newsOf(tenant))).toBe(256);
    expect(await store.client.pttl(newsOf(tenant))).toBeGreaterThan(500_000);
  });

  it("are told a few times of one fingerprint, however many run into it", async () => {
    const tenant = newTenant();
    const fleets = Array.from({ length: 20 }, () => newFleet(store.client, { tenant }));
    for (let round = 0; round < 10; round++) {
      for (const [at, fleet] of fleets.entries()) tell(fleet.join({ worker: String(at) }), report(round));
      await Promise.all(fleets.map((fleet) => fleet.flush()));
    }

    expect(fleets[0]!.findings()).toMatchObject([{ calls: 100, workers: expect.any(Number) }]);
    // From half of ten calls on, with each doubling of calls or processes; those who see the same step at the same time tell it too.
    expect(await store.client.xlen(newsOf(tenant))).toBeLessThan(20);
  });

  it("begin anew after the store was emptied", async () => {
    const [one, two, three] = newFleets(3, store.client, { calls: 2 });
    const members = [one!, two!].map((fleet, at) => fleet.join({ worker: String(at) }));
    const meet = async (of: number): Promise<void> => {
      for (const member of members) tell(member, report(of, { fingerprint: fingerprint(of) }));
      await flushAll(one!, two!, three!);
    };
    for (const of of [0, 1, 2]) await meet(of);
    expect(three!.findings()).toHaveLength(3);

    await store.client.flushall();
    await meet(3);
    // What was known is not forgotten with the store, and ends with its window.
    expect(three!.findings()).toHaveLength(4);
    expect(three!.join({ worker: "three" }).verdict(fingerprint(3))).toMatchObject({ calls: 2, workers: 2 });
  });

  it("are heard over whatever somebody else adds to them", async () => {
    const tenant = newTenant();
    const [one, two, three] = [1, 2, 3].map(() => newFleet(store.client, { tenant, calls: 2 }));
    for (const [field, value] of Object.entries({ s: "{", other: "x", t: "[1,2,3]", u: "x".repeat(100_000) })) {
      await store.client.xadd(newsOf(tenant), "*", field, value);
    }
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three!);

    expect(three!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("are read later, if they cannot be understood now", async () => {
    const tenant = newTenant();
    await store.client.call("ACL", "SETUSER", "untimely", "on", ">password", "~*", "+@all", "-time");
    const notices: FleetNotice[] = [];
    const own = new Redis({ port: store.server.port, username: "untimely", password: "password" });
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2 }));
    const three = newFleet(own, { tenant, calls: 2, onNotice: (notice) => notices.push(notice) });
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three);
    // How old an entry is, nobody can say without the time.
    expect(three.findings()).toEqual([]);
    expect(notices).toMatchObject([{ kind: "reports-refused", reason: expect.stringContaining("time") }]);

    await store.client.call("ACL", "SETUSER", "untimely", "+time");
    await three.flush();
    expect(three.findings()).toHaveLength(1);
    own.disconnect();
  });
});
