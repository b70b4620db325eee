import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stateFaults } from "./state-faults.ts";

const isWindows = process.platform === "win32";
const isRoot = process.getuid?.() === 0;
let folder: string;
let state: string;
let runs: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-state-"));
  state = join(folder, "doomloop");
  runs = join(state, "sessions");
  mkdirSync(runs, { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the faults of a state folder", () => {
  it("are none where hooks can keep what they need, and nothing is left behind", () => {
    expect(stateFaults(state)).toEqual([]);
    expect(readdirSync(runs)).toEqual([]);

    rmSync(state, { recursive: true });
    expect(stateFaults(state)).toEqual([]);
    expect(existsSync(state)).toBe(false);
  });

  it.skipIf(isWindows)("name a folder that others can change, and the command against it", () => {
    chmodSync(runs, 0o777);
    expect(stateFaults(state)).toEqual([
      `${runs} can be changed by others; chmod 700 '${runs}': until then, hooks are off`,
    ]);

    chmodSync(runs, 0o700);
    chmodSync(state, 0o775);
    expect(stateFaults(state)).toEqual([expect.stringContaining(`chmod 700 '${state}': until then, hooks are off`)]);
  });

  it.skipIf(isWindows)("name a link, wherever it leads", () => {
    renameSync(state, join(folder, "real"));
    symlinkSync(join(folder, "real"), state);
    expect(stateFaults(state)).toEqual([expect.stringContaining(`${state} is a symbolic link`)]);

    rmSync(join(folder, "real", "sessions"), { recursive: true });
    symlinkSync(folder, runs);
    expect(stateFaults(state)).toContainEqual(expect.stringMatching(/sessions is a symbolic link.*hooks are off$/));
  });

  it("name what is no folder", () => {
    rmSync(runs, { recursive: true });
    writeFileSync(runs, "");
    expect(stateFaults(state)).toEqual([expect.stringContaining("is not a folder")]);

    rmSync(state, { recursive: true });
    writeFileSync(state, "");
    expect(stateFaults(state)).toContainEqual(
      expect.stringMatching(/is not a folder; remove it: until then, hooks are off$/),
    );
  });

  it.skipIf(!isRoot)("name a folder of somebody else", () => {
    chownSync(runs, 12_345, 12_345);
    expect(stateFaults(state)).toEqual([expect.stringContaining("belongs to somebody else")]);
  });

  it.skipIf(isWindows || isRoot)("name a folder that cannot be written to", () => {
    chmodSync(runs, 0o500);
    expect(stateFaults(state)).toEqual([expect.stringContaining("nothing can be kept in")]);
  });
});
