import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace, type Workspace } from "doomloop/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptCopies, limitCopies } from "./limits.ts";

const DAY_MS = 86_400_000;
let root: string;
let now: number;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-limit-")));
  now = Date.now();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const home = (): string => join(root, "workspaces");
function open(name: string): Workspace {
  mkdirSync(join(root, name));
  return createWorkspace({ root: join(root, name), stateDirectory: join(home(), name), now: () => now });
}
/** Checkpoints of a file of a megabyte that no compression makes smaller. */
async function make(workspace: Workspace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    now += 1_000;
    writeFileSync(join(workspace.root, "data"), randomBytes(1_000_000));
    ids.push((await workspace.checkpoint()).id);
  }
  return ids;
}
const idsOf = async (workspace: Workspace): Promise<string[]> => (await workspace.list()).map(({ id }) => id).reverse();
const bytes = (): number => keptCopies(root).reduce((sum, copies) => sum + copies.bytes, 0);

describe("the checkpoints of all workspaces", () => {
  it("stay while they are within the limit", async () => {
    const one = open("one");
    const ids = await make(one, 3);

    expect(await limitCopies(home(), undefined, 5_000_000)).toBeUndefined();
    expect(await idsOf(one)).toEqual(ids);
  });

  it("are deleted beyond it, the oldest first, wherever they are", async () => {
    const [one, other] = [open("one"), open("other")];
    const old = await make(one, 4);
    const young = await make(other, 4);
    const deleted = await limitCopies(home(), undefined, 4_500_000);

    expect(bytes()).toBeLessThan(4_700_000);
    expect(deleted).toEqual({ count: 4, maxBytes: 4_500_000 });
    // The latest of each stays.
    expect(await idsOf(one)).toEqual(old.slice(3));
    expect(await idsOf(other)).toEqual(young.slice(1));
    for (const id of young.slice(1)) expect((await other.restore(id)).left).toEqual([]);
  });

  it("stay if an undo needs them", async () => {
    const one = open("one");
    const [first] = await make(one, 2);
    const { safety } = await one.restore(first!);
    await make(one, 4);
    await limitCopies(home(), undefined, 1);

    expect(await idsOf(one)).toEqual(expect.arrayContaining([first, safety]));
    expect(await idsOf(one)).toHaveLength(3);
  });
});

/** A folder of git's own repository of checkpoints, and git in it. */
const shadow = (): string => join(home(), "one", "workspace-2", "shadow.git");
const git = (...words: string[]): string =>
  execFileSync("git", words, { env: { GIT_DIR: shadow(), PATH: process.env.PATH }, encoding: "utf8", stdio: "pipe" });

describe("old checkpoints", () => {
  /** Checkpoints of small files that differ. */
  async function make(workspace: Workspace, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at++) {
      writeFileSync(join(workspace.root, "data"), randomBytes(8).toString("hex"));
      ids.push((await workspace.checkpoint()).id);
    }
    return ids;
  }

  it("are deleted with their content after 30 days, except the latest 50 and what an undo needs", async () => {
    const one = open("one");
    const old = await make(one, 3);
    const { safety } = await one.restore(old[0]!);
    now += 31 * DAY_MS;
    const young = await make(one, 50);
    // It is checked once a day.
    expect(await idsOf(one)).toEqual([...old, safety, ...young]);
    now += DAY_MS;
    for (const name of ["refs/checkpoints/killed.lock", "index.lock", "objects/tmp_obj_killed"]) {
      writeFileSync(join(shadow(), name), "");
      utimesSync(join(shadow(), name), 1, 1);
    }
    writeFileSync(join(shadow(), "HEAD.lock"), "");
    young.push(...(await make(one, 1)));

    expect(await idsOf(one)).toEqual([old[0], safety, ...young]);
    for (const id of old.slice(1)) expect(() => git("cat-file", "-e", id)).toThrow();
    expect(() => git("fsck", "--connectivity-only")).not.toThrow();
    const left = readdirSync(shadow(), { recursive: true, encoding: "utf8" }).filter((name) =>
      /lock$|killed/.test(name),
    );
    expect(left).toEqual(["HEAD.lock"]);
    await one.undo();
    expect(git("cat-file", "-p", `${safety}:data`)).toBe(readFileSync(join(one.root, "data"), "utf8"));
  });
});
