import { createHmac } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { FleetGlobalFinding, FleetNotice, RedisClient, RedisFleet, RedisFleetOptions } from "doomloop/fleet";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { closeFleets, newFleet, newTenant } from "./fleets.ts";

/** Processes that share a store, as far as a test can tell: each fleet knows only what the store tells it. */
describe.each(engines.filter(isInstalled))("fleets that share one %s", (engine) => {
  let server: Server;
  let client: Redis;
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
  });
  afterEach(closeFleets);
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  const sharing = (count: number, options: Partial<RedisFleetOptions> = {}): RedisFleet[] => {
    const tenant = newTenant();
    return Array.from({ length: count }, () => newFleet(client, { tenant, ...options }));
  };
  const flushAll = async (...fleets: readonly RedisFleet[]): Promise<void> => {
    for (const fleet of fleets) await fleet.flush();
  };
  const allKeys = (tenant: string): Promise<string[]> => client.keys(`*{${tenant}:*`);

  it("count together, and tell one that has never made the call", async () => {
    const [one, two, three] = sharing(3, { calls: 4 });
    tell(one!.join({ worker: "one" }), ...reports(2));
    tell(two!.join({ worker: "two" }), ...reports(2));
    await flushAll(one!, two!, three!);

    expect(three!.join({ worker: "three" }).verdict(fingerprint(0))).toEqual({
      calls: 4,
      workers: 2,
      windowMs: 300_000,
    });
    expect(three!.findings()).toEqual(two!.findings());
  });

  it("count a report once, whichever of them delivers it", async () => {
    const [one, two] = sharing(2, { calls: 2 });
    for (const fleet of [one!, two!, one!]) {
      tell(fleet.join({ worker: "a" }), ...reports(3));
      tell(fleet.join({ worker: "b" }), report(0));
      await fleet.flush();
    }

    expect(two!.join({ worker: "c" }).verdict(fingerprint(0))).toMatchObject({ calls: 4, workers: 2 });
  });

  it("do not count a call, or its worker, any longer because it is delivered again", async () => {
    const clock = { at: 1_000_000 };
    const [fleet] = sharing(1, { calls: 2, windowMs: 60_000, now: () => clock.at });
    const [one, two] = [fleet!.join({ worker: "one" }), fleet!.join({ worker: "two" })];
    tell(one, report(0));
    tell(two, report(0));
    await fleet!.flush();
    clock.at += 50_000;
    tell(one, report(0));
    tell(two, report(0), report(1));
    await fleet!.flush();
    expect(fleet!.findings()).toMatchObject([{ calls: 3, workers: 2 }]);

    clock.at += 10_000;
    tell(two, report(2));
    await fleet!.flush();
    expect(fleet!.findings()).toEqual([]);
    tell(one, report(1));
    await fleet!.flush();
    expect(fleet!.findings()).toMatchObject([{ calls: 3, workers: 2 }]);
  });

  it("hear that something came of it", async () => {
    const [one, two, three] = sharing(3, { calls: 2 });
    tell(one!.join({ worker: "one" }), report(0));
    tell(two!.join({ worker: "two" }), report(0));
    await flushAll(one!, two!, three!, one!);
    tell(one!.join({ worker: "one" }), report(1, { isBarren: false }));
    await flushAll(one!, two!, three!);

    for (const fleet of [one!, two!, three!]) expect(fleet.findings()).toEqual([]);
  });

  it("settle what is delivered late after something had come of it", async () => {
    const [one, two] = sharing(2, { calls: 2, flushMs: 60_000 });
    const late = one!.join({ worker: "late" });
    tell(two!.join({ worker: "two" }), report(0));
    await two!.flush();
    tell(late, ...reports(5));
    await wait(20);
    tell(two!.join({ worker: "two" }), report(1, { isBarren: false }));
    await flushAll(two!, one!);
    tell(two!.join({ worker: "two" }), report(2));
    await two!.flush();

    expect(two!.findings()).toEqual([]);
  });

  it("settle what is delivered late although nothing was counted when something came of it", async () => {
    const [one, two] = sharing(2, { calls: 2, flushMs: 60_000 });
    tell(one!.join({ worker: "late" }), ...reports(5));
    await wait(20);
    tell(two!.join({ worker: "two" }), report(1, { isBarren: false }));
    await flushAll(two!, one!);
    tell(two!.join({ worker: "two" }), report(2));
    await two!.flush();
    expect(two!.findings()).toEqual([]);

    tell(one!.join({ worker: "late" }), report(6));
    await one!.flush();
    expect(one!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("remember a success that nothing was counted of for as long as a report can be late, and no longer", async () => {
    const tenant = newTenant();
    const fleet = newFleet(client, { tenant, maxDelayMs: 3_000, deadlineMs: 500 });
    const member = fleet.join({ worker: "one" });
    const keyOf = async () => (await client.keys(`dl1:{${tenant}:0}*`))[0]!;
    const endOf = async () => {
      await fleet.flush();
      return client.pttl(await keyOf());
    };
    tell(member, report(0, { isBarren: false }));
    expect(await endOf()).toBeLessThanOrEqual(8_500);
    expect(await client.memory("USAGE", await keyOf())).toBeLessThan(200);
    tell(member, report(1, { isBarren: false }));
    expect(await endOf()).toBeGreaterThan(3_500);
    expect(await endOf()).toBeLessThanOrEqual(8_500);

    tell(member, report(2));
    expect(await endOf()).toBeGreaterThan(290_000);
  });

  it("forget together", async () => {
    const [one, two] = sharing(2, { calls: 2 });
    tell(one!.join({ worker: "one" }), ...reports(2));
    tell(two!.join({ worker: "two" }), ...reports(2));
    await flushAll(one!, two!);
    one!.clear();
    await flushAll(one!, two!);
    expect([one!.findings(), two!.findings()]).toEqual([[], []]);

    tell(one!.join({ worker: "one" }), report(2));
    tell(two!.join({ worker: "two" }), report(2));
    await flushAll(one!, two!);
    expect(two!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("forget although one was asking when it was told to", async () => {
    const [one, two] = sharing(2, { calls: 2, pulseMs: 60_000 });
    tell(one!.join({ worker: "one" }), report(0));
    tell(one!.join({ worker: "two" }), report(0));
    await flushAll(one!, two!);
    expect(two!.findings()).toHaveLength(1);
    const asking = one!.flush();
    // Far enough for the question to be asked, and for no answer to come.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    one!.clear();
    await one!.flush();
    await two!.flush();

    expect(two!.findings()).toEqual([]);
    await asking;
  });

  it("announce a dead end in one of them, once", async () => {
    const announced: FleetGlobalFinding[] = [];
    const fleets = sharing(4, { calls: 4, onFinding: (finding) => announced.push(finding) });
    for (let round = 0; round < 3; round++) {
      for (const [at, fleet] of fleets.entries())
        tell(fleet.join({ worker: `worker ${at}` }), ...reports(2, round * 2));
      await Promise.all(fleets.map((fleet) => fleet.flush()));
    }

    expect(announced).toMatchObject([{ tool: "fetch", windowMs: 300_000 }]);
  });

  it("let nothing out that a callback does, now or later", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    let called = 0;
    const reject = async (): Promise<never> => {
      called++;
      throw new Error("the pager is down");
    };
    const observer = { onFlush: reject, onState: reject };
    const [fleet] = sharing(1, { calls: 4, onFinding: reject, onNotice: reject, observer });
    tell(fleet!.join({ worker: "one" }), ...reports(2, 0));
    tell(fleet!.join({ worker: "two" }), ...reports(2, 0));
    await fleet!.flush();
    await fleet!.flush();
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("unhandledRejection", note);

    expect(fleet!.findings()).toHaveLength(1);
    expect(called).toBeGreaterThan(2);
    expect(unhandled).toEqual([]);
  });

  it("announce a dead end although the reply to its announcement was lost", async () => {
    const announced: FleetGlobalFinding[] = [];
    let isLossy = true;
    const lossy = changing(client, async (reply, keys) => {
      if (isLossy && keys > 1) throw new Error("the reply was lost");
      return reply;
    });
    const fleet = newFleet(lossy, { calls: 2, onFinding: (finding) => announced.push(finding) });
    isLossy = false;
    await fleet.flush();
    isLossy = true;
    tell(fleet.join({ worker: "one" }), report(0));
    tell(fleet.join({ worker: "two" }), report(0));
    await fleet.flush();
    expect(announced).toEqual([]);

    isLossy = false;
    await fleet.flush();
    await fleet.flush();
    expect(announced).toHaveLength(1);
  });

  it("remember calls and workers of one fingerprint up to their limit", async () => {
    const tenant = newTenant();
    const fleet = newFleet(client, { tenant, calls: 10, maxCallsPerFingerprint: 20 });
    for (let at = 0; at < 30; at++) {
      tell(fleet.join({ worker: `worker ${at}` }), ...reports(3));
      if (at % 7 === 0) await fleet.flush();
    }
    await fleet.flush();
    const [key] = await client.keys(`dl1:{${tenant}:0}*`);

    expect(await client.zcard(key!)).toBeLessThanOrEqual(20);
    expect(fleet.findings()).toMatchObject([{ calls: expect.any(Number), workers: expect.any(Number) }]);
  });

  it("leave no key without an end, and nothing but names, numbers and keyed digests", async () => {
    const tenant = newTenant();
    const key = "the secret of this very test";
    const fleet = newFleet(client, { tenant, key, calls: 2 });
    for (const worker of ["one", "two"]) {
      const member = fleet.join({ worker, run: "a run with a name" });
      tell(member, report(0, { tool: "rm -rf; a tool that is none" }), report(1, { fingerprint: fingerprint(1) }));
      member.looping?.();
    }
    await fleet.flush();
    const keys = await allKeys(tenant);
    const ends = await Promise.all(keys.map((each) => client.pttl(each)));
    const stored = (await Promise.all(keys.map((each) => client.dump(each)))).map(String).join("\n") + keys.join("\n");

    expect(keys.length).toBeGreaterThan(5);
    expect(Math.min(...ends)).toBeGreaterThan(0);
    expect(stored).not.toContain("rm -rf");
    expect(stored).not.toContain("a run with a name");
    expect(stored).not.toContain(fingerprint(0));
    const digest = createHmac("sha256", key).update(`${tenant}\n`).update(fingerprint(1), "utf16le").digest();
    expect(keys.some((each) => each.endsWith(`:${digest.subarray(0, 16).toString("base64url")}`))).toBe(true);
  });

  it.each(["*{TENANT:0}*", "*{TENANT:control}*", "*{TENANT:*"])(
    "go on over whatever is written into %s",
    async (which) => {
      const tenant = newTenant();
      const [one, two] = [newFleet(client, { tenant, calls: 2 }), newFleet(client, { tenant, calls: 2 })];
      tell(one.join({ worker: "one" }), ...reports(3));
      tell(two.join({ worker: "two" }), ...reports(3));
      await flushAll(one, two);
      const keys = await client.keys(which.replace("TENANT", tenant));
      expect(keys).not.toEqual([]);
      for (const key of keys) {
        await client.del(key);
        await client.set(key, "garbage");
      }
      await flushAll(one, two);
      // The first to count again takes the dead end back; the next call of anybody finds it again.
      for (const id of [3, 4]) {
        tell(one.join({ worker: "one" }), report(id));
        tell(two.join({ worker: "two" }), report(id));
        await flushAll(one, two);
      }
      await one.flush();

      expect(one.findings()).toMatchObject([{ calls: 4, workers: 2 }]);
      expect([one, two].map((fleet) => fleet.stats().faults)).toEqual([0, 0]);
    },
  );

  it("obey a switch soon, and keep to it if what comes then cannot be read", async () => {
    const tenant = newTenant();
    const notices: FleetNotice[] = [];
    const fleet = newFleet(client, { tenant, calls: 2, onNotice: (notice) => notices.push(notice) });
    const member = fleet.join({ worker: "one" });
    tell(member, report(0));
    tell(fleet.join({ worker: "two" }), report(0));
    await fleet.flush();
    const set = async (value: string, holds: () => boolean): Promise<void> => {
      await client.set(`dl1:{${tenant}:control}:switch`, value, "EX", 60);
      await until(value, holds, { everyMs: 5 });
    };
    // Something goes on: a fleet that nobody uses does not ask.
    const use = setInterval(() => member.verdict(fingerprint(9)), 20);
    try {
      expect(member.verdict(fingerprint(0))).toMatchObject({ calls: 2 });
      await set('{"calls":3}', () => member.verdict(fingerprint(0)) === undefined);
      await set('{"mode":"shadow"}', () => member.mode?.() === "shadow");
      await set('{"mode":"off"}', () => member.mode?.() === "off");
      expect(member.verdict(fingerprint(0))).toBeUndefined();
      await set('{"mode":"of', () => notices.length === 3);
      expect(member.mode?.()).toBe("off");
      await set("{}", () => member.mode?.() === "on");
    } finally {
      clearInterval(use);
    }
    expect(notices).toEqual([
      { kind: "mode", mode: "shadow", because: "switch" },
      { kind: "mode", mode: "off", because: "switch" },
      { kind: "switch-unreadable" },
      { kind: "mode", mode: "on", because: "switch" },
    ]);
  });

  it("let a tenth of the active runs be stopped in a window, whoever asks and how often", async () => {
    const clock = { at: 1_000_000 };
    const fleets = sharing(3, { windowMs: 60_000, now: () => clock.at });
    const members = fleets.flatMap((fleet, at) =>
      Array.from({ length: 10 }, (_, run) => fleet.join({ worker: `worker ${at}`, run: String(run) })),
    );
    for (const [at, member] of members.entries()) tell(member, report(at, { fingerprint: fingerprint(at) }));
    await flushAll(...fleets);
    const mayStop = async (): Promise<number> => {
      for (let asked = 0; asked < 3; asked++) {
        for (const member of members) member.mayStop?.();
        await flushAll(...fleets);
      }
      return members.filter((member) => member.mayStop?.()).length;
    };

    expect(await mayStop()).toBe(3);
    expect(fleets[0]!.stats().runs).toMatchObject({ active: 30, stopped: 3 });
    clock.at += 60_000;
    for (const [at, member] of members.entries()) tell(member, report(100 + at, { fingerprint: fingerprint(at) }));
    await flushAll(...fleets);
    expect(await mayStop()).toBe(3);
  });

  it("distrust themselves while more than half of the active runs loop, and say so", async () => {
    const notices: FleetNotice[] = [];
    const fleet = newFleet(client, { onNotice: (notice) => notices.push(notice) });
    const members = Array.from({ length: 20 }, (_, run) => fleet.join({ worker: "one", run: String(run) }));
    for (const [at, member] of members.entries()) tell(member, report(at, { fingerprint: fingerprint(at) }));
    for (const member of members.slice(0, 10)) member.looping?.();
    await fleet.flush();
    expect([fleet.stats().runs, fleet.stats().mode]).toMatchObject([{ active: 20, looping: 10 }, "on"]);

    members[10]!.looping?.();
    await fleet.flush();
    expect(members[0]!.mode?.()).toBe("shadow");
    expect(notices).toEqual([{ kind: "mode", mode: "shadow", because: "distrust" }]);
  });

  it("go on after the server forgot their scripts, and everything else", async () => {
    const [fleet] = sharing(1, { calls: 2 });
    tell(fleet!.join({ worker: "one" }), report(0));
    await fleet!.flush();
    await client.script("FLUSH");
    tell(fleet!.join({ worker: "two" }), report(0));
    await fleet!.flush();
    expect(fleet!.findings()).toHaveLength(1);

    await client.flushall();
    await fleet!.flush();
    expect(fleet!.findings()).toEqual([]);
    tell(fleet!.join({ worker: "one" }), report(1));
    tell(fleet!.join({ worker: "two" }), report(1));
    await fleet!.flush();
    expect([fleet!.findings(), fleet!.stats().faults]).toMatchObject([[{ calls: 2, workers: 2 }], 0]);
  });

  it("do not believe a reply to another question", async () => {
    const replies: unknown[] = [];
    const late = changing(client, async (reply) => {
      replies.push(reply);
      return replies.at(-2) ?? reply;
    });
    const fleet = newFleet(late, { calls: 2 });
    tell(fleet.join({ worker: "one" }), ...reports(3));
    tell(fleet.join({ worker: "two" }), ...reports(3));
    await fleet.flush();

    expect(fleet.stats().wrongReplies).toBeGreaterThan(0);
    expect(fleet.stats()).toMatchObject({ reported: 6, delivered: 0, queued: 6 });
  });
});

/** A client whose replies are not what the server said. */
function changing(client: Redis, change: (reply: unknown, keys: number) => Promise<unknown>): RedisClient {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property !== "evalsha") return typeof value === "function" ? value.bind(target) : value;
      return async (...words: [string, number, ...string[]]) => change(await target.evalsha(...words), words[1]);
    },
  }) as unknown as RedisClient;
}
