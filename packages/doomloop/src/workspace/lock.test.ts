import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withLock } from "./lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("withLock", () => {
  it("runs one task at a time", async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(folder, work)));

    expect(most).toBe(1);
  });

  it("is released when its holder is done or fails", async () => {
    await expect(withLock(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");

    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("is broken if its holder died", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(folder, "lock"), `${pid} ${hostname()}`);

    expect(await withLock(folder, async () => "in")).toBe("in");
  });

  it("is broken if its holder died and this process has the same id now", async () => {
    writeFileSync(join(folder, "lock"), `${process.pid} ${hostname()}`);

    expect(await withLock(folder, async () => "in")).toBe("in");
  });

  /** A lock that was last touched this many minutes ago. */
  const leave = (holder: string, minutes: number): void => {
    writeFileSync(join(folder, "lock"), holder);
    const at = Date.now() / 1000 - minutes * 60;
    utimesSync(join(folder, "lock"), at, at);
  };

  it.each([
    { what: "nothing in it", holder: "", minutes: 11 },
    { what: "what is no holder", holder: "\0\0\0", minutes: 11 },
    { what: "a process of another machine", holder: "1 elsewhere", minutes: 11 },
    { what: "a number that another process has now", holder: `${process.ppid} ${hostname()}`, minutes: 11 },
  ])("is broken if nobody has touched it for a long time: $what", async ({ holder, minutes }) => {
    leave(holder, minutes);

    expect(await withLock(folder, async () => "in", 0)).toBe("in");
  });

  it.each([
    { what: "nothing in it yet", holder: "", minutes: 0 },
    { what: "a process of another machine", holder: "1 elsewhere", minutes: 5 },
    { what: "a process that lives", holder: `${process.ppid} ${hostname()}`, minutes: 5 },
  ])("is respected, and the error says what to do: $what", async ({ holder, minutes }) => {
    leave(holder, minutes);

    await expect(withLock(folder, async () => "in", 0)).rejects.toThrow(
      `another process is using it (${join(folder, "lock")}): wait for it, or remove that file`,
    );
  });

  it("is touched by its holder", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await withLock(folder, async () => {
        utimesSync(join(folder, "lock"), 1, 1);
        vi.advanceTimersByTime(10_000);
        expect(Date.now() - lstatSync(join(folder, "lock")).mtimeMs).toBeLessThan(60_000);
      });
    } finally {
      vi.useRealTimers();
    }
  });
});
