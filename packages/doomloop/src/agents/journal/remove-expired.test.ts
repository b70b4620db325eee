import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "./journal.ts";
import { removeExpired } from "./remove-expired.ts";

const isWindows = process.platform === "win32";
const DAY_MS = 24 * 3_600_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "doomloop-expired-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const journals = () => readdirSync(directory).filter((name) => name !== "swept");
const update = (session: string) => openJournal<number>({ directory, session }).update(() => ({ state: 1, result: 1 }));

/** Makes a journal look as if it had been left alone for a while. Returns its folder. */
function leave(session: string, days: number): string {
  const before = new Set(journals());
  update(session);
  const folder = join(directory, journals().find((name) => !before.has(name))!);
  for (const name of readdirSync(folder)) age(join(folder, name), days);
  age(folder, days);
  return folder;
}

function age(path: string, days: number): void {
  const seconds = (Date.now() - days * DAY_MS) / 1000;
  utimesSync(path, seconds, seconds);
}

describe("removing what has expired", () => {
  it("removes journals that nobody wrote to for seven days, and no others", () => {
    leave("old", 7.01);
    const young = leave("young", 6.99);

    expect(removeExpired({ directory })).toBe(1);
    expect(journals().map((name) => join(directory, name))).toEqual([young]);
  });

  it("keeps a long session whose folder is old and whose file is not", () => {
    const folder = leave("long", 30);
    update("long");
    age(folder, 30);

    expect(removeExpired({ directory })).toBe(0);
    expect(readdirSync(folder)).toEqual(["0"]);
  });

  it("is done once an hour, by whoever comes first", () => {
    expect(removeExpired({ directory })).toBe(0);
    leave("old", 8);

    expect(removeExpired({ directory })).toBe(0);
    expect(removeExpired({ directory, now: () => Date.now() + 3_700_000 })).toBe(1);
  });

  it("is done again if the clock was set back", () => {
    removeExpired({ directory, now: () => Date.now() + 30 * DAY_MS });
    leave("old", 8);

    expect(removeExpired({ directory })).toBe(1);
  });

  it("looks at a part of many, and gets through in time", () => {
    for (let session = 0; session < 12; session++) leave(`old ${session}`, 8);

    expect(removeExpired({ directory, maxJournals: 5, intervalMs: 0 })).toBe(5);
    expect(removeExpired({ directory, maxJournals: 100, intervalMs: 0 })).toBe(7);
    expect(journals()).toEqual([]);
  });

  it("leaves alone what it does not know", () => {
    mkdirSync(join(directory, "notes"));
    writeFileSync(join(directory, "0".repeat(40)), "");
    const folder = leave("old", 8);
    writeFileSync(join(folder, "foreign"), "");
    for (const path of ["notes", "0".repeat(40)]) age(join(directory, path), 8);
    age(folder, 8);

    expect(removeExpired({ directory })).toBe(0);
    expect(journals()).toHaveLength(3);
    expect(readdirSync(folder)).toEqual(["foreign"]);
  });

  it.skipIf(isWindows)("follows no symbolic link", () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "doomloop-elsewhere-"));
    writeFileSync(join(elsewhere, "0"), "precious");
    for (const path of [join(elsewhere, "0"), elsewhere]) age(path, 8);
    symlinkSync(elsewhere, join(directory, "a".repeat(40)));
    symlinkSync(join(elsewhere, "0"), join(directory, "swept"));
    const before = statSync(join(elsewhere, "0")).mtimeMs;

    expect(removeExpired({ directory, intervalMs: 0 })).toBe(0);
    expect(readdirSync(elsewhere)).toEqual(["0"]);
    expect(statSync(join(elsewhere, "0")).mtimeMs).toBe(before);
    rmSync(elsewhere, { recursive: true });
  });

  it("says nothing where there is no folder", () => {
    expect(removeExpired({ directory: join(directory, "none") })).toBe(0);
    expect(existsSync(join(directory, "none"))).toBe(false);
  });

  it("lets a process that has the file open notice, so that it is kept nevertheless", () => {
    const journal = openJournal<number>({ directory, session: "s" });
    let calls = 0;
    const outcome = journal.update((count = 0) => {
      if (++calls === 1) {
        const [name] = journals();
        for (const path of [join(directory, name!, "0"), join(directory, name!)]) age(path, 8);
        removeExpired({ directory });
      }
      return { state: count + 1, result: count + 1 };
    });

    expect(outcome).toEqual({ isKept: true, result: 1 });
    expect(calls).toBe(isWindows ? 1 : 2);
    expect(journal.update((count) => ({ result: count }))).toEqual({ isKept: true, result: 1 });
  });
});
