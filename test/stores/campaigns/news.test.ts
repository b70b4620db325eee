import type { FleetMember, RedisFleetOptions } from "doomloop/fleet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/engine.ts";
import { type CampaignFleet, joinCampaign } from "./campaign-fleet.ts";
import { fingerprintOf } from "./fingerprints.ts";
import { startTopology, type Topology } from "./topology.ts";

/** Nothing is heard that was not asked for with `flush`. */
const quiet = { heartbeatMs: 600_000, calls: 4 };
const page = fingerprintOf(1);
let calls = 0;

const barren = (member: FleetMember, times: number, fingerprint = page) => {
  for (let at = 0; at < times; at++) member.report({ id: `${calls++}`, fingerprint, tool: "fetch", isBarren: true });
};

describe.each(engines.filter(isInstalled))("news of dead ends on %s", (engine) => {
  let topology: Topology;
  let tenants = 0;
  const joined: CampaignFleet[] = [];

  beforeAll(async () => {
    topology = await startTopology(engine, "standalone");
  });
  afterEach(async () => {
    await Promise.all(joined.splice(0).map((each) => each.stop()));
    tenants++;
  });
  afterAll(() => topology.stop());

  const newProcess = async (options: Partial<RedisFleetOptions> = {}) => {
    const each = await joinCampaign(topology, { ...quiet, tenant: `news-${tenants}`, ...options });
    joined.push(each);
    await each.fleet.flush();
    return { fleet: each.fleet, member: each.fleet.join({ worker: "worker" }) };
  };
  const ask = (...words: string[]) => topology.servers[0]!.ask(...words);
  const keysOf = async (match: string) => (await ask("KEYS", `dl2:{news-${tenants}${match}`)).split("\n");

  it("take a dead end back where the process that got further had not heard of it", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    barren(one.member, 1);
    await one.fleet.flush();
    barren(two.member, 3);
    await two.fleet.flush();
    await three.fleet.flush();
    expect(three.member.verdict(page)).toMatchObject({ calls: 4, workers: 2 });

    one.member.report({ id: "found", fingerprint: page, tool: "fetch", isBarren: false });
    await one.fleet.flush();
    await three.fleet.flush();
    expect(three.member.verdict(page)).toBeUndefined();
  });

  it("are heard where the store was emptied and has as many as before", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    const meet = async (fingerprint: string) => {
      barren(one.member, 2, fingerprint);
      await one.fleet.flush();
      barren(two.member, 2, fingerprint);
      await two.fleet.flush();
    };
    await meet(page);
    await three.fleet.flush();
    await ask("FLUSHALL");
    const other = fingerprintOf(2);
    await meet(other);
    await three.fleet.flush();

    expect(three.member.verdict(other)).toMatchObject({ calls: 4 });
  });

  it("are told and heard where every reply is late", async () => {
    const late = { deadlineMs: 5 };
    const [one, two, three] = [await newProcess(late), await newProcess(late), await newProcess(late)];
    await topology.setFault({ kind: "delay", delayMs: 50 });
    for (const { member } of [one, two]) barren(member, 2);
    const heard = async () => {
      await three.fleet.flush();
      return three.member.verdict(page);
    };
    await expect.poll(heard, { timeout: 60_000 }).toMatchObject({ calls: 4 });
    await topology.setFault({ kind: "pass" });
  });

  it.each([
    { title: "at once", passMs: 0 },
    { title: "after a time for which nothing waits", passMs: 11_000 },
  ])("take a dead end back that a call got through while the store was away, $title", async ({ passMs }) => {
    let nowMs = 0;
    const [one, two, three] = [await newProcess({ now: () => nowMs }), await newProcess(), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    await three.fleet.flush();
    expect(three.member.verdict(page)).toMatchObject({ calls: 4 });

    await topology.setFault({ kind: "error-replies", message: "LOADING" });
    one.member.report({ id: "found", fingerprint: page, tool: "fetch", isBarren: false });
    await one.fleet.flush();
    nowMs += passMs;
    await one.fleet.flush();
    await topology.setFault({ kind: "pass" });
    const heard = async () => {
      await one.fleet.flush();
      await three.fleet.flush();
      return three.member.verdict(page);
    };
    await expect.poll(heard, { timeout: 60_000 }).toBeUndefined();
  });

  it("last no longer than a window, by the steady clock, where the server's clock is set back by an hour", async () => {
    let nowMs = 0;
    const [one, two] = [await newProcess({ now: () => nowMs }), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    // To a server whose clock is set back, all that is to end ends an hour later.
    for (const key of await keysOf("*")) await ask("PEXPIRE", key, "3900000");
    barren(one.member, 1);
    await one.fleet.flush();
    for (const key of await keysOf(":*")) expect(Number(await ask("PTTL", key))).toBeLessThanOrEqual(300_000);
    expect(one.member.verdict(page)).toBeDefined();
    nowMs += 300_001;
    expect(one.member.verdict(page)).toBeUndefined();
  });

  it("are heard, but by nobody who comes later, where the latest entry is from the future", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    await ask("XADD", `dl2:{news-${tenants}}:news`, "9999999999999-0", "s", "x");
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    await three.fleet.flush();
    expect(three.member.verdict(page)).toMatchObject({ calls: 4 });
    const four = await newProcess();
    expect(four.member.verdict(page)).toBeUndefined();

    // Until it counts on.
    barren(four.member, 1);
    await four.fleet.flush();
    expect(four.member.verdict(page)).toMatchObject({ calls: 5, workers: 3 });
  });

  it("flow again where somebody wrote a quota that is spent for ever", async () => {
    const [one, two] = [await newProcess(), await newProcess()];
    const quota = `dl2:{news-${tenants}}:quota`;
    await ask("SET", quota, "9000000000");
    await one.fleet.flush();
    barren(one.member, 2);
    await one.fleet.flush();
    expect(one.fleet.stats()).toMatchObject({ queued: 2 });
    const lastsMs = Number(await ask("PTTL", quota));
    expect(lastsMs).toBeGreaterThan(0);
    expect(lastsMs).toBeLessThanOrEqual(60_000);
    await two.fleet.flush();
  });

  it("say no more than the store can count, whoever wrote them", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    const news = `dl2:{news-${tenants}}:news`;
    const [, name] = /"([\w-]{22})"/.exec(await ask("XRANGE", news, "-", "+")) ?? [];
    await ask("XADD", news, "*", "s", JSON.stringify([name, "fetch", 2 ** 50, 2 ** 50, 2 ** 50]));
    await three.fleet.flush();

    expect(three.member.verdict(page)).toEqual({ calls: 100, workers: 100, windowMs: 300_000 });
  });

  it("are true where an older count is told after a newer one", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    const news = `dl2:{news-${tenants}}:news`;
    const [, name] = /"([\w-]{22})"/.exec(await ask("XRANGE", news, "-", "+")) ?? [];
    await ask("XADD", news, "*", "s", JSON.stringify([name, "fetch", 3, 2, 300_000]));
    await three.fleet.flush();

    expect(three.member.verdict(page)).toMatchObject({ calls: 4 });
  });
});
