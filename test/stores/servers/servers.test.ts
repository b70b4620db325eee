import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startCluster } from "./cluster.ts";
import { startSentinelTrio } from "./sentinel.ts";
import { engines, isInstalled, startServer } from "./server.ts";
import { until } from "./until.ts";

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

describe.each(engines.filter(isInstalled))("%s on loopback", (engine) => {
  it("starts, answers, and leaves nothing behind", async () => {
    const server = await startServer(engine);
    const folder = (await server.ask("CONFIG", "GET", "dir")).split("\n")[1]!;
    const { pid } = server;
    await server.stop();

    expect(folder).toContain(`doomloop-${engine}-`);
    expect([existsSync(folder), isRunning(pid)]).toEqual([false, false]);
  });

  it("says why it does not start, and leaves nothing behind", async () => {
    await expect(startServer(engine, { settings: ["no-such-setting 1"] })).rejects.toThrow("no-such-setting");
  });

  it("is paused, killed and started again at the same port", async () => {
    const server = await startServer(engine);
    try {
      server.pause();
      const late = server.ask("PING");
      expect(await Promise.race([late, wait(200, "nothing")])).toBe("nothing");
      server.resume();
      expect(await late).toBe("PONG");

      await server.ask("SET", "a", "1");
      await server.kill();
      await expect(server.ask("PING")).rejects.toThrow();
      await server.restart();
      expect(await server.ask("EXISTS", "a")).toBe("0");
    } finally {
      await server.stop();
    }
  });

  it("forms a cluster that moves slots and replaces a primary", async () => {
    const cluster = await startCluster(engine);
    try {
      expect(await cluster.primaries()).toHaveLength(3);
      // "06S" is in slot 0, and the lowest slots are moved first.
      const before = await cluster.ownerOf("06S");
      await cluster.reshard("06S", 100);
      expect(await cluster.ownerOf("06S")).not.toBe(before);

      const owner = await cluster.ownerOf("{b}");
      await owner.kill();
      await until("a replica has taken over", async () => (await cluster.ownerOf("{b}")) !== owner);
    } finally {
      await cluster.stop();
    }
  });

  it("is watched by sentinels that replace a primary", async () => {
    const trio = await startSentinelTrio(engine);
    try {
      const before = await trio.primary();
      await trio.failOver();
      const now = await trio.primary();
      expect(now).not.toBe(before);
      await until("the new primary takes writes", async () => (await now.ask("SET", "a", "1")) === "OK");
    } finally {
      await trio.stop();
    }
  });
});
