import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withLock } from "./lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("withLock", () => {
  it("lets one work at a time", async () => {
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

  it("goes away with its holder, also with one that fails", async () => {
    await expect(withLock(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");

    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("is broken if its holder died", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(folder, "lock"), `${pid} ${hostname()} 00`);

    expect(await withLock(folder, async () => "in")).toBe("in");
  });

  it("is broken if its holder died with the number that we have now", async () => {
    writeFileSync(join(folder, "lock"), `${process.pid} ${hostname()} 00`);

    expect(await withLock(folder, async () => "in")).toBe("in");
  });
});
