import { createGuard } from "doomloop";
import type { RedisFleetOptions, StoreFleet } from "doomloop/fleet";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fingerprint, manualClock, report, reports, tell } from "../../contracts/fleet.ts";
import { closeFleets, flushAll, newFleet, newFleets, newTenant } from "./fleets.ts";
import { countKeys, fingerprintKeys, keysOf, newsKeyNow, onEachEngine, passTime } from "./one-server.ts";

onEachEngine("the shared count of a fleet", (store) => {
  const sharing = (count: number, options: Partial<RedisFleetOptions> = {}): StoreFleet[] =>
    newFleets(count, store.client, options);

  it("makes a dead end for others only if two processes made the call, however many workers one of them has", async () => {
    const tenant = newTenant();
    const one = newFleet(store.client, { tenant, calls: 4, witness: "one process" });
    const again = newFleet(store.client, { tenant, calls: 4, witness: "one process" });
    const other = newFleet(store.client, { tenant, calls: 4 });
    for (const worker of ["a", "b", "c"]) tell(one.join({ worker }), ...reports(3));
    tell(again.join({ worker: "d" }), ...reports(3));
    await flushAll(one, again, other);
    expect([one, again, other].map((fleet) => fleet.findings())).toMatchObject([[{ calls: 9, workers: 3 }], [], []]);

    tell(other.join({ worker: "e" }), report(0));
    await flushAll(other, again);
    for (const fleet of [other, again]) expect(fleet.findings()).toMatchObject([{ calls: 13, workers: 2 }]);
  });

  it("includes each report once, whichever process sends it", async () => {
    const [one, two] = sharing(2, { calls: 2 });
    for (const fleet of [one!, two!, one!]) {
      tell(fleet.join({ worker: "a" }), ...reports(3));
      tell(fleet.join({ worker: "b" }), report(0));
      await fleet.flush();
    }

    expect(two!.findings()).toMatchObject([{ calls: 4, workers: 2 }]);
  });

  it("is never too high, up to a hundred, whatever the reports are called", async () => {
    const runs = fc.array(fc.tuple(fc.uuid(), fc.uniqueArray(fc.string({ maxLength: 40 }), { maxLength: 40 })));
    await fc.assert(
      fc.asyncProperty(runs, async (told) => {
        const [one, two, three] = sharing(3, { calls: 2 });
        let calls = 0;
        for (const [at, [run, ids]] of told.entries()) {
          const member = (at % 2 === 0 ? one! : two!).join({ worker: String(at), run });
          for (const id of ids) tell(member, { ...report(0), id });
          calls += ids.length;
        }
        await flushAll(one!, two!, three!);
        const found = three!.findings()[0]?.calls ?? 0;
        expect(found).toBeLessThanOrEqual(Math.min(100, calls));
        await closeFleets();
      }),
      { numRuns: 60 },
    );
  });

  it("is at most one in fifty too low, and at least a hundred beyond that", async () => {
    const [one, two] = sharing(2, { calls: 2 });
    for (let calls = 1; calls <= 120; calls++) {
      tell((calls % 2 === 0 ? one! : two!).join({ worker: `${calls % 2}` }), report(calls));
      await (calls % 2 === 0 ? one! : two!).flush();
      const found = (calls % 2 === 0 ? one! : two!).findings()[0]?.calls ?? 0;
      // Estimates of small numbers are sometimes off by one.
      if (calls > 1) expect(found).toBeGreaterThanOrEqual(Math.min(calls * 0.98 - 2, 100));
      expect(found).toBeLessThanOrEqual(Math.min(calls, 100));
    }
  });

  it("ends with its window, for the processes that made the calls and for the others", async () => {
    const tenant = newTenant();
    const clock = manualClock();
    const options = { tenant, calls: 2, windowMs: 60_000, now: clock.now };
    const [one, two, three, late] = Array.from({ length: 4 }, () => newFleet(store.client, options));
    const pass = async (passedMs: number): Promise<void> => {
      clock.at += passedMs;
      await passTime(store.client, tenant, passedMs);
    };
    tell(one!.join({ worker: "one" }), report(0));
    await one!.flush();
    await pass(40_000);
    tell(two!.join({ worker: "two" }), report(0));
    await flushAll(two!, three!);
    expect([two!, three!].map((fleet) => fleet.findings().length)).toEqual([1, 1]);

    // The window began with the first call: it is over 60 s after that, not 60 s after the second.
    await pass(19_000);
    await late!.flush();
    expect([two!, three!, late!].map((fleet) => fleet.findings().length)).toEqual([1, 1, 1]);
    await pass(2_000);
    await flushAll(two!, three!, late!);
    expect([two!, three!, late!].map((fleet) => fleet.findings().length)).toEqual([0, 0, 0]);

    tell(one!.join({ worker: "one" }), report(1));
    tell(two!.join({ worker: "two" }), report(1));
    await flushAll(one!, two!);
    expect(two!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("is cleared for all by a success, even if that process did not know of the dead end", async () => {
    const [one, two, three] = sharing(3, { calls: 2 });
    const member = one!.join({ worker: "one" });
    tell(member, report(0));
    await one!.flush();
    tell(two!.join({ worker: "two" }), report(0));
    await two!.flush();
    // Two processes have made it a dead end, and the first one learns of that only at its next heartbeat.
    tell(member, report(1, { isBarren: false }));
    await flushAll(one!, two!, three!);

    expect([one!, two!, three!].map((fleet) => fleet.findings())).toEqual([[], [], []]);
  });

  it("is forgotten by all processes if one of them clears, and immediately by that one", async () => {
    const tenant = newTenant();
    const [one, two, three] = [1, 2, 3].map(() => newFleet(store.client, { tenant, calls: 2 }));
    const members = [one!, two!].map((fleet, at) => fleet.join({ worker: String(at) }));
    for (const member of members) tell(member, report(0), report(0, { fingerprint: fingerprint(1) }));
    await flushAll(one!, two!, three!, one!);
    expect([one!, two!, three!].map((fleet) => fleet.findings().length)).toEqual([2, 2, 2]);
    one!.clear();
    expect(one!.findings()).toEqual([]);
    await flushAll(one!, two!, three!);

    expect([one!, two!, three!].map((fleet) => fleet.findings())).toEqual([[], [], []]);
    expect(await countKeys(store.client, tenant)).toEqual([]);
    for (const member of members) tell(member, report(1));
    await flushAll(one!, two!);
    expect(two!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("loses its dead ends first if a process has more suspects to clear than it can send", async () => {
    const [one, two, three] = sharing(3, { calls: 2 });
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three!, one!);
    const member = one!.join({ worker: "0" });
    for (let at = 1; at < 1000; at++) tell(member, report(0, { fingerprint: fingerprint(at) }));
    for (let at = 0; at < 300; at++)
      tell(member, report(0, { fingerprint: fingerprint(at).slice(1) + fingerprint(999)[0] }));
    one!.clear();
    await flushAll(one!, three!);

    expect(three!.findings()).toEqual([]);
  });

  it("stays empty for a healthy process", async () => {
    const tenant = newTenant();
    const fleet = newFleet(store.client, { tenant });
    const guard = createGuard({ fleet: fleet.join({ worker: "one" }) });
    for (let step = 0; step < 1000; step++) {
      guard.observe({ type: "call", tool: "read_file", args: { path: `notes-${step}.md` } });
      guard.observe({ type: "result", output: `what is in note ${step}` });
    }
    await fleet.flush();

    expect(await fingerprintKeys(store.client, tenant)).toEqual([]);
    expect(fleet.stats()).toMatchObject({ reported: 0, delivered: 0, queued: 0, runs: { fleet: 1 } });
    expect((await keysOf(store.client, tenant)).toSorted()).toEqual([
      `dl3:{${tenant}}:runs`,
      `dl3:{${tenant}}:settings`,
    ]);
  });

  it("leaves no key without an expiry except switch and settings, and holds no arguments, names or plain digests", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2, witness: `host ${Math.random()}` }));
    for (const fleet of [one!, two!]) {
      const member = fleet.join({ worker: "a worker with a name", run: `a run with a name ${Math.random()}` });
      tell(member, report(0, { tool: "rm -rf; a tool that is none" }), { ...report(0), id: "an id; with words" });
      await fleet.flush();
      member.mayStop?.();
      await fleet.flush();
    }
    const keys = await keysOf(store.client, tenant);
    const endless = [];
    for (const key of keys) if ((await store.client.pttl(key)) < 0) endless.push(key);
    const stored = (await Promise.all(keys.map((key) => store.client.dumpBuffer(key)))).join("\n") + keys.join("\n");

    expect(two!.findings()).toHaveLength(1);
    expect(keys).toHaveLength(7);
    expect(endless).toEqual([`dl3:{${tenant}}:settings`]);
    for (const word of ["rm -rf", "with a name", "with words", "host ", fingerprint(0)]) {
      expect(stored).not.toContain(word);
    }
  });

  it("works again after somebody else wrote to its keys", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(store.client, { tenant, calls: 2 }));
    const members = [one!, two!].map((fleet, at) => fleet.join({ worker: String(at) }));
    for (const member of members) tell(member, ...reports(3));
    await flushAll(one!, two!, one!);
    for (const key of await fingerprintKeys(store.client, tenant)) await store.client.set(key, "garbage");
    // The first process to count finds the foreign data and deletes it. The next call counts again.
    for (const id of [3, 4]) {
      for (const member of members) tell(member, report(id));
      await flushAll(one!, two!, one!);
    }
    expect(one!.findings()).toMatchObject([{ calls: expect.any(Number), workers: 2 }]);

    await store.client.del(...(await keysOf(store.client, tenant)));
    const names = ["settings", "runs", "stops"].map((name) => `dl3:{${tenant}}:${name}`);
    for (const key of [...names, `dl:{${tenant}}:switch`, await newsKeyNow(store.client, tenant)]) {
      await store.client.lpush(key, "garbage");
    }
    for (const member of members) tell(member, report(5));
    await flushAll(one!, two!);
    expect(members.map((member) => member.mode?.())).toEqual(["on", "on"]);
    expect([one!, two!].map((fleet) => fleet.stats().store)).toEqual(["connected", "connected"]);
  });
});
