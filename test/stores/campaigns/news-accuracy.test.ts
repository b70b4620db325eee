import type { FleetMember, RedisFleetOptions } from "doomloop/fleet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/server.ts";
import { fingerprintOf } from "./campaign.ts";
import { type CampaignFleet, joinCampaign } from "./campaign-fleet.ts";
import { startTopology, type Topology } from "./topology.ts";

/** Fleets learn only what a `flush` asks for. */
const quiet = { heartbeatMs: 600_000, calls: 4 };
const page = fingerprintOf(1);
let calls = 0;

const barren = (member: FleetMember, times: number, fingerprint = page) => {
  for (let at = 0; at < times; at++) member.report({ id: `${calls++}`, fingerprint, tool: "fetch", isBarren: true });
};

describe.each(engines.filter(isInstalled))("the news about dead ends on %s", (engine) => {
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
  const keysOf = async (match: string) => (await ask("KEYS", `dl3:{news-${tenants}${match}`)).split("\n");

  const newsKey = async () =>
    `dl3:{news-${tenants}}:news:${Math.floor(Number((await ask("TIME")).split("\n")[0]) / 300)}`;
  /** Appends a line about the fingerprint that the news are about. */
  const append = async (line: (name: string) => unknown[]) => {
    const key = await newsKey();
    const [, name = ""] = /"([\w-]{22})"/.exec(await ask("GET", key)) ?? [];
    await ask("APPEND", key, `${JSON.stringify(line(name))}\n`);
  };

  it("clears a dead end even if the process that succeeded did not know of it", async () => {
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

  it("is read after the store was emptied and has as many entries as before", async () => {
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

  it("is written and read even if every reply is late", async () => {
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
  ])("clears a dead end after a success while the store was away, $title", async ({ passMs }) => {
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

  it("holds for a window by the process's clock, even if the server's clock is set back by an hour", async () => {
    let nowMs = 0;
    const [one, two] = [await newProcess({ now: () => nowMs }), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    // If a server's clock is set back, its keys expire an hour later.
    for (const key of await keysOf("*")) await ask("PEXPIRE", key, "3900000");
    barren(one.member, 1);
    await one.fleet.flush();
    for (const key of await keysOf(":*:[cw]")) expect(Number(await ask("PTTL", key))).toBeLessThanOrEqual(300_000);
    expect(one.member.verdict(page)).toBeDefined();
    nowMs += 300_001;
    expect(one.member.verdict(page)).toBeUndefined();
  });

  it("is read by current and later processes, whatever somebody says about the future", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    const key = await newsKey();
    await ask("APPEND", key, `${JSON.stringify([9_999_999_999_999, "A".repeat(22), "fetch", 9, 9, 300_000])}\n`);
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    const four = await newProcess();
    await three.fleet.flush();

    for (const { member } of [three, four]) expect(member.verdict(page)).toMatchObject({ calls: 4 });
    expect(four.fleet.findings()).toHaveLength(1);
  });

  it("has no counts beyond the store's limit, whatever somebody wrote", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    await append((name) => [Date.now(), name, "fetch", 2 ** 50, 2 ** 50, 2 ** 50]);
    await three.fleet.flush();

    expect(three.member.verdict(page)).toEqual({ calls: 100, workers: 100, windowMs: 300_000, counted: "processes" });
  });

  it("stays correct if an older count is written after a newer one", async () => {
    const [one, two, three] = [await newProcess(), await newProcess(), await newProcess()];
    for (const { member, fleet } of [one, two]) {
      barren(member, 2);
      await fleet.flush();
    }
    await append((name) => [Date.now(), name, "fetch", 3, 2, 300_000]);
    await three.fleet.flush();

    expect(three.member.verdict(page)).toMatchObject({ calls: 4 });
  });
});
