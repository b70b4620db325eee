import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace, type Workspace } from "doomloop/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const DAY_MS = 86_400_000;
let home: string;
let root: string;
let now: number;
let workspace: Workspace;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-prune-")));
  root = join(home, "root");
  mkdirSync(root);
  now = Date.now();
  workspace = createWorkspace({ root, stateDirectory: join(home, "state"), now: () => now });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const shadow = (): string => join(home, "state", "workspace-1", "shadow.git");
const git = (...words: string[]): string =>
  execFileSync("git", words, { env: { GIT_DIR: shadow(), PATH: process.env.PATH }, encoding: "utf8", stdio: "pipe" });
const refs = (): string[] => git("for-each-ref", "--format=%(refname:short)").split("\n").filter(Boolean);

/** Checkpoints of different files, one after the other. Returns their ids. */
async function make(count: number, from = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let at = from; at < from + count; at++) {
    writeFileSync(join(root, "file"), `version ${at}\n`);
    ids.push((await workspace.checkpoint(`number ${at}`)).id);
  }
  return ids;
}

describe("old checkpoints", () => {
  it("are deleted with their content when there are enough newer ones", async () => {
    const old = await make(3);
    now += 31 * DAY_MS;
    const young = await make(47, 3);
    now += 3 * DAY_MS;
    young.push(...(await make(3, 50)));
    const known = (await workspace.list()).map(({ id }) => id);

    // Checked at the 51st checkpoint, and not again on that day.
    expect(known).toEqual([...young.toReversed(), old[2], old[1]]);
    now += DAY_MS;
    young.push(...(await make(1, 53)));
    expect((await workspace.list()).map(({ id }) => id)).toEqual(young.toReversed());
    expect(refs()).toHaveLength(51);
    for (const id of old) expect(() => git("cat-file", "-e", id)).toThrow();
    expect(() => git("fsck", "--connectivity-only")).not.toThrow();
    const [oldest] = young;
    await workspace.restore(oldest!);
    expect(git("cat-file", "-p", `${oldest}:file`)).toBe("version 3\n");
    await expect(workspace.restore(old[0]!)).rejects.toThrow("restore: no checkpoint");
  });

  it("stay while they are recent or among the latest", async () => {
    await make(53);
    now += 29 * DAY_MS;
    await make(1, 53);
    expect(await workspace.list()).toHaveLength(54);

    now += 300 * DAY_MS;
    await make(1, 54);
    expect(await workspace.list()).toHaveLength(50);
  });

  it("stay if an undo needs them, however old they are", async () => {
    const [first] = await make(2);
    const { safety } = await workspace.restore(first!);
    now += 31 * DAY_MS;
    await make(52, 2);
    writeFileSync(join(root, "file"), "version 0\n");

    expect((await workspace.list()).slice(50).map(({ id }) => id)).toContain(safety);
    await workspace.undo();
    expect(git("cat-file", "-p", `${safety}:file`)).toBe("version 1\n");
  });

  it("are deleted the next day if that was interrupted", async () => {
    const old = await make(2);
    now += 31 * DAY_MS;
    await make(49, 2);
    // As if the process had been killed before git deleted one of the refs, and git while it did.
    git("update-ref", `refs/checkpoints/${old[0]}`, refs()[0]!);
    const facts = join(home, "state/workspace-1/checkpoints", `00000001-${old[0]}.facts`);
    writeFileSync(facts, "");
    const lock = join(shadow(), "refs/checkpoints", `${old[0]}.lock`);
    writeFileSync(lock, "");
    utimesSync(lock, 1, 1);

    await make(1, 51);
    expect(existsSync(facts)).toBe(true);
    now += DAY_MS;
    await make(1, 52);
    expect([existsSync(facts), existsSync(lock), refs().some((name) => name.endsWith(old[0]!))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
