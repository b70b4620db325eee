import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { FileRecord } from "./run-record.ts";
import { cacheFolder, openScanCache } from "./scan-cache.ts";

const FILE = { path: "/somewhere/a.jsonl", size: 10, modifiedMs: 1000 };
const RECORD: FileRecord = { agent: "trace", runs: [], steps: {}, skippedLines: 3, longLines: 0, fault: null };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("returns a stored record until the file changes", () => {
  const cache = openScanCache(folder, "1.0.0", {});
  cache.set(FILE, RECORD);

  expect(cache.get(FILE)).toEqual(RECORD);
  expect(cache.get({ ...FILE, size: 11 })).toBeUndefined();
  expect(cache.get({ ...FILE, modifiedMs: 1001 })).toBeUndefined();
  expect(cache.get({ ...FILE, path: "/elsewhere/a.jsonl" })).toBeUndefined();
});

it("has no entry for another version or other options", () => {
  openScanCache(folder, "1.0.0", {}).set(FILE, RECORD);

  expect(openScanCache(folder, "1.0.1", {}).get(FILE)).toBeUndefined();
  expect(openScanCache(folder, "1.0.0", { preset: "aggressive" }).get(FILE)).toBeUndefined();
});

it("ignores entries with an older layout", () => {
  const cache = openScanCache(folder, "1.0.0", {});
  const nameOf = (layout: number): string => {
    const salt = JSON.stringify([layout, "1.0.0", {}]);
    return `${createHash("sha256").update(salt).update(FILE.path).digest("hex").slice(0, 32)}.json`;
  };
  for (const layout of [1, 2, 3, 4])
    writeFileSync(join(folder, nameOf(layout)), JSON.stringify({ ...FILE, record: RECORD }));

  expect(cache.get(FILE)).toBeUndefined();
  cache.set(FILE, RECORD);
  expect(readdirSync(folder)).toContain(nameOf(4));
});

it("can be read only by its owner", () => {
  openScanCache(folder, "1.0.0", {}).set(FILE, RECORD);
  const [entry] = readdirSync(folder);

  expect(statSync(join(folder, entry!)).mode & 0o077).toBe(0);
});

it("ignores damaged entries, and a folder that cannot be created", () => {
  const cache = openScanCache(folder, "1.0.0", {});
  cache.set(FILE, RECORD);
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"path":');
  writeFileSync(join(folder, "file"), "");
  const nowhere = openScanCache(join(folder, "file", "deeper"), "1.0.0", {});

  expect(cache.get(FILE)).toBeUndefined();
  expect(() => nowhere.set(FILE, RECORD)).not.toThrow();
  expect(nowhere.get(FILE)).toBeUndefined();
});

it("removes its own old entries, and nothing else", () => {
  openScanCache(folder, "1.0.0", {}).set(FILE, RECORD);
  writeFileSync(join(folder, "notes.txt"), "mine");
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  openScanCache(folder, "1.0.0", {}).set({ ...FILE, path: "/somewhere/b.jsonl" }, RECORD);

  expect(readdirSync(folder).filter((name) => name.endsWith(".json"))).toHaveLength(1);
  expect(readdirSync(folder)).toContain("notes.txt");
});

it("is in the platform's cache folder", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/x" }, "linux")).toBe(join("/x", "doomloop"));
  expect(cacheFolder({ DOOMLOOP_CACHE: "/mine" }, "darwin")).toBe("/mine");
  expect(cacheFolder({}, "darwin")).toContain(join("Library", "Caches"));
});
