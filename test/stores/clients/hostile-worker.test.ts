import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { StoreFleet } from "doomloop/fleet";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { runDoomloop } from "../cli/run-doomloop.ts";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { closeFleets, flushAll, newFleet } from "./fleets.ts";
import { newsKeyNow, newsKeys } from "./one-server.ts";
import { giveRights, logins, TENANT } from "./rights.ts";

const MEGABYTE = 1_000_000;

/** Somebody who has the address and the password of a worker, and not its good will. */
describe.each(engines.filter(isInstalled))("a hostile worker on %s", (engine) => {
  let server: Server;
  let admin: Redis;
  let worker: Redis;
  let evil: Redis;
  const notices: FleetNotice[] = [];
  const folder = mkdtempSync(join(tmpdir(), "doomloop-hostile-"));
  let pages = 0;

  beforeAll(async () => {
    server = await startServer(engine, { settings: ["maxmemory 100mb", "maxmemory-policy noeviction"] });
    await giveRights(server);
    admin = new Redis({ port: server.port });
    [worker, evil] = [1, 2].map(() => new Redis({ port: server.port, ...logins.worker })) as [Redis, Redis];
    for (const client of [admin, worker, evil]) client.on("error", () => {});
  });
  beforeEach(async () => {
    await admin.flushall();
    notices.splice(0);
  });
  afterEach(closeFleets);
  afterAll(async () => {
    for (const client of [admin, worker, evil]) client.disconnect();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newProcess = (): StoreFleet =>
    newFleet(worker, { tenant: TENANT, calls: 4, onNotice: (notice) => notices.push(notice) });
  /** Two processes run into a new page. Returns how many dead ends each fleet knows then. */
  const deadEnd = async (fleets: readonly StoreFleet[]): Promise<number[]> => {
    const page = fingerprint(pages++);
    for (const [at, fleet] of fleets.slice(0, 2).entries()) {
      for (const id of [0, 1]) tell(fleet.join({ worker: String(at) }), report(id, { fingerprint: page }));
      await fleet.flush();
    }
    await flushAll(...fleets, ...fleets);
    return fleets.map((fleet) => fleet.findings().length);
  };
  const bytesSent = async (): Promise<number> =>
    Number(/total_net_output_bytes:(\d+)/.exec(await admin.info("stats"))?.[1]);

  it("cannot silence a tenant by what it appends to the news, and makes nobody read it", async () => {
    const fleets = [newProcess(), newProcess(), newProcess()];
    expect(await deadEnd(fleets)).toEqual([1, 1, 1]);
    const key = await newsKeyNow(admin, TENANT);
    for (let times = 0; times < 8; times++) await evil.append(key, "x".repeat(5 * MEGABYTE));
    const before = await bytesSent();
    await flushAll(...fleets);
    expect((await bytesSent()) - before).toBeLessThan(MEGABYTE / 2);
    expect(notices).toEqual(Array(3).fill({ kind: "news-flooded" }));

    // Running processes and new ones hear of what comes after it.
    expect(await deadEnd([...fleets, newProcess()])).toEqual([2, 2, 2, expect.any(Number)]);
    const late = newProcess();
    await late.flush();
    expect(late.findings().length).toBeGreaterThan(0);
    expect(fleets.map((fleet) => fleet.stats().store)).toEqual(Array(3).fill("connected"));
  });

  it("cannot keep others from writing news by filling them up to the length that the server allows", async () => {
    await admin.config("SET", "proto-max-bulk-len", "1mb");
    const fleets = [newProcess(), newProcess(), newProcess()];
    await deadEnd(fleets);
    for (const at of [0, 1]) {
      const key = (await newsKeyNow(admin, TENANT)).replace(/\d+$/, (epoch) => String(Number(epoch) + at));
      await evil.append(key, "x".repeat(1_000_000));
      for (const size of [40_000, 5_000, 1_000, 100, 10, 1])
        while (await evil.append(key, "x".repeat(size)).catch(() => 0));
    }

    expect(await deadEnd([...fleets, newProcess()])).toEqual([2, 2, 2, 1]);
    expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(["news-flooded"]));
    await admin.config("SET", "proto-max-bulk-len", "512mb");
  });

  it("is noticed if it removes the news again and again", async () => {
    const fleets = [newProcess(), newProcess(), newProcess()];
    for (let times = 0; times < 4; times++) {
      await deadEnd(fleets);
      await evil.pexpire(await newsKeyNow(admin, TENANT), 0);
      await flushAll(...fleets);
      expect(notices.length > 0).toBe(times > 1);
    }

    expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(["news-removed"]));
  });

  it("hides no suspect from operators by removing its counts", async () => {
    const url = `redis://${logins.operator.username}:${logins.operator.password}@127.0.0.1:${server.port}`;
    await deadEnd([newProcess(), newProcess()]);
    const [, name = ""] = /"([\w-]{22})"/.exec(await evil.getrange(await newsKeyNow(admin, TENANT), 0, -1)) ?? [];
    const top = async () => (await runDoomloop(url, ["top", "--tenant", TENANT])).stdout;
    expect(await top()).toContain("1 dead end");
    // Only then are the counts that it removes older than those that could begin now.
    await setTimeout(1600);
    expect(await evil.unlink(`dl3:{${TENANT}:${name}}:c`)).toBe(1);

    expect(await top()).toContain(`${name.slice(0, 8)}: 1 time, 1 without a word`);
  });

  it("is told to operators and to every process if it removes the counts of a dead end at once, again and again", async () => {
    const url = `redis://${logins.operator.username}:${logins.operator.password}@127.0.0.1:${server.port}`;
    const fleets = [newProcess(), newProcess(), newProcess()];
    const members = fleets.map((fleet, at) => fleet.join({ worker: String(at) }));
    let name = "";
    for (let lap = 0; lap < 5; lap++) {
      for (const member of members) tell(member, ...reports(2, 2 * lap));
      await flushAll(...fleets);
      [, name = ""] = /"([\w-]{22})"/.exec(await evil.getrange(await newsKeyNow(admin, TENANT), 0, -1)) ?? [];
      await evil.unlink(`dl3:{${TENANT}:${name}}:c`, `dl3:{${TENANT}:${name}}:w`);
      await setTimeout(1600);
    }
    await flushAll(...fleets);

    const { stdout } = await runDoomloop(url, ["top", "--tenant", TENANT]);
    expect(stdout).toMatch(new RegExp(`fetch ${name.slice(0, 8)}: ([45]) times, \\1 without a word`));
    const calls = [{ name, tool: "fetch", times: 3, unsaid: 3, by: [] }];
    expect(notices).toEqual(Array(3).fill({ kind: "counts-removed", calls }));
  });

  it("is noticed once, for as long as it floods the news", async () => {
    const listener = newProcess();
    for (let times = 0; times < 4; times++) {
      await evil.append(await newsKeyNow(admin, TENANT), "x".repeat(200_000));
      await listener.flush();
    }

    expect(notices).toEqual([{ kind: "news-flooded" }]);
  });

  it("is forgotten as soon as somebody repairs what it has done", async () => {
    const fleets = [newProcess(), newProcess(), newProcess()];
    await deadEnd(fleets);
    for (const at of [-1, 0, 1]) {
      const key = (await newsKeyNow(admin, TENANT)).replace(/\d+$/, (epoch) => String(Number(epoch) + at));
      await evil.append(key, `${"y".repeat(400_000)}\n`);
      await evil.pexpire(key, 9_000_000_000);
    }
    await flushAll(...fleets);
    await admin.del(...(await newsKeys(admin, TENANT)));
    const after = [...fleets, newProcess()];

    expect(await deadEnd(after)).toEqual([2, 2, 2, 1]);
    expect(notices.filter(({ kind }) => kind !== "news-flooded")).toEqual([]);
  });

  it("cannot make its keys live long: other processes end them", async () => {
    const fleets = [newProcess(), newProcess()];
    const key = await newsKeyNow(admin, TENANT);
    await evil.append(key, "x\n");
    await evil.pexpire(key, 9_000_000_000);
    await deadEnd(fleets);

    expect(await admin.pttl(key)).toBeLessThanOrEqual(600_000);
  });

  it("cannot have settings read that are larger than settings are", async () => {
    await evil.setnx(`dl3:{${TENANT}}:settings`, "z".repeat(10 * MEGABYTE));
    const before = await bytesSent();
    const fleets = [newProcess(), newProcess()];
    expect(await deadEnd(fleets)).toEqual([1, 1]);

    expect((await bytesSent()) - before).toBeLessThan(100_000);
    expect(notices.map(({ kind }) => kind)).toEqual(["settings-differ", "settings-differ"]);
  });

  it.each(["INCRBY", "SET", "XADD", "SETRANGE", "LPUSH", "EVAL"])("cannot use %s at all", async (command) => {
    const key = `dl3:{${TENANT}}:stops`;
    await expect(evil.call(command, key, "1", "x")).rejects.toThrow(/NOPERM|wrong number/);
  });

  it("can fill the server, and the operator's switch still works, and all goes on once there is memory", async () => {
    const url = `redis://${logins.operator.username}:${logins.operator.password}@127.0.0.1:${server.port}`;
    const operate = (...words: string[]) => runDoomloop(url, [...words, "--tenant", TENANT]);
    expect((await operate("switch", "on")).code).toBe(0);
    const fleets = [newProcess(), newProcess()];
    await deadEnd(fleets);
    for (const size of [4 * MEGABYTE, 100_000, 1000, 1]) {
      for (let full = false; !full; ) {
        const key = `dl3:{${TENANT}}:news:${size}`;
        full = await evil.append(key, "x".repeat(size)).then(
          () => false,
          () => true,
        );
      }
    }
    await expect(admin.set("anything", "1")).rejects.toThrow("OOM");
    await deadEnd(fleets);
    expect(notices.map(({ kind }) => kind)).toContain("reports-refused");

    const { code, stderr } = await operate("switch", "off");
    expect([code, stderr]).toEqual([0, expect.stringContaining("is off now")]);
    expect(stderr).toContain("out of memory");
    await flushAll(...fleets);
    expect(fleets.map((fleet) => fleet.stats().mode)).toEqual(["off", "off"]);
    // Each mode is in reserve once.
    expect((await operate("switch", "off")).stderr).toContain("not in the reserve");
    expect((await operate("switch", "on")).code).toBe(0);

    for (const key of await newsKeys(admin, TENANT)) await admin.unlink(key);
    // The server frees the memory in the background.
    await expect.poll(() => admin.set("anything", "1").catch(() => "OOM"), { timeout: 60_000 }).toBe("OK");
    notices.splice(0);
    await flushAll(...fleets);
    expect((await deadEnd(fleets)).every((known) => known > 0)).toBe(true);
    expect((await operate("switch", "shadow")).stderr).not.toContain("no memory");
    expect(notices.filter(({ kind }) => kind === "reports-refused")).toEqual([]);
  });
});
