import { Redis } from "ioredis";
import { expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, report, tell } from "../../contracts/fleet.ts";
import { flushAll, newFleet, newFleets, newTenant } from "./fleets.ts";
import { newsKeyNow, newsKeys, newsLines, onEachEngine } from "./one-server.ts";

onEachEngine("the news of a fleet", (store) => {
  const statistic = async (section: string, name: string): Promise<number> => {
    const text = await store.client.info(section);
    return Number(new RegExp(`^${name}:(?:calls=)?(\\d+)`, "m").exec(text)?.[1] ?? 0);
  };

  it("is read in pages by a process that joins, each page once, and costs the store a bounded number of bytes", async () => {
    const [one, two, late] = newFleets(3, store.client, { calls: 2, heartbeatMs: 3_600_000 });
    const tool = "x".repeat(200);
    for (const [at, fleet] of [one!, two!].entries()) {
      const member = fleet.join({ worker: String(at) });
      for (let of = 0; of < 200; of++) tell(member, report(0, { fingerprint: fingerprint(of), tool }));
      await fleet.flush();
    }
    // The first heartbeat found nothing.
    const [pages, bytes] = [
      await statistic("commandstats", "cmdstat_getrange"),
      await statistic("stats", "total_net_output_bytes"),
    ];
    await late!.flush();
    expect(late!.findings()).toHaveLength(200);
    // Two or three pages, and the settings and the beginning of the news with each of them.
    const read = (await statistic("commandstats", "cmdstat_getrange")) - pages;
    expect(read).toBeLessThanOrEqual(24);
    const kilobytes = ((await statistic("stats", "total_net_output_bytes")) - bytes) / 1024;
    expect(kilobytes).toBeLessThan(80);

    for (let beat = 0; beat < 3; beat++) await late!.flush();
    // A heartbeat without news reads the settings, how the news begin, and nothing else.
    expect((await statistic("commandstats", "cmdstat_getrange")) - pages - read).toBeLessThanOrEqual(9);
  });

  it("ends two windows after it was begun, and no line puts that off", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2 }));
    const members = [one!, two!].map((fleet, at) => fleet.join({ worker: String(at) }));
    const meet = async (of: number): Promise<void> => {
      for (const member of members) tell(member, report(0, { fingerprint: fingerprint(of) }));
      await flushAll(one!, two!);
    };
    await meet(0);
    for (const key of await newsKeys(store.client, tenant)) await store.client.pexpire(key, 200_000);
    await meet(1);
    const ends = await Promise.all((await newsKeys(store.client, tenant)).map((key) => store.client.pttl(key)));

    expect(Math.min(...ends)).toBeLessThanOrEqual(200_000);
    expect(Math.max(...ends)).toBeLessThanOrEqual(600_000);
  });

  it("mentions a fingerprint a few times, however many processes make the call", async () => {
    const tenant = newTenant();
    const fleets = Array.from({ length: 20 }, () => newFleet(store.client, { tenant }));
    for (let round = 0; round < 10; round++) {
      for (const [at, fleet] of fleets.entries()) tell(fleet.join({ worker: String(at) }), report(round));
      await Promise.all(fleets.map((fleet) => fleet.flush()));
    }

    expect(fleets[0]!.findings()).toMatchObject([{ calls: 100, workers: expect.any(Number) }]);
    // An entry comes at half of ten calls, and at each doubling of calls or processes. Processes that see the same step at the same time all add one.
    expect((await newsLines(store.client, tenant)).length).toBeLessThan(20);
  });

  it("starts again after the store was emptied", async () => {
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
    // A process keeps what it knew until the window ends, even if the store is emptied.
    expect(three!.findings()).toHaveLength(4);
    expect(three!.join({ worker: "three" }).verdict(fingerprint(3))).toMatchObject({ calls: 2, workers: 2 });
  });

  it("is readable whatever somebody else adds to it", async () => {
    const tenant = newTenant();
    const [one, two, three] = [1, 2, 3].map(() => newFleet(store.client, { tenant, calls: 2 }));
    for (const garbage of ["{", "\n[1,2,3]\n", Buffer.from([0xff, 0xfe, 0x0a]), "x".repeat(10_000)]) {
      await store.client.append(await newsKeyNow(store.client, tenant), garbage);
    }
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three!);

    expect(three!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("is read again later if it cannot be understood now", async () => {
    const tenant = newTenant();
    await store.client.call("ACL", "SETUSER", "untimely", "on", ">password", "~*", "+@all", "-time");
    const notices: FleetNotice[] = [];
    const own = new Redis({ port: store.server.port, username: "untimely", password: "password" });
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2 }));
    const three = newFleet(own, { tenant, calls: 2, onNotice: (notice) => notices.push(notice) });
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three);
    // Without the server's time, the age of an entry is unknown.
    expect(three.findings()).toEqual([]);
    expect(notices).toMatchObject([{ kind: "reports-refused", reason: expect.stringContaining("time") }]);

    await store.client.call("ACL", "SETUSER", "untimely", "+time");
    await three.flush();
    expect(three.findings()).toHaveLength(1);
    own.disconnect();
  });
});
