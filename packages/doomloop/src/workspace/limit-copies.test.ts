import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace, type Workspace } from "doomloop/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptCopies } from "./kept-copies.ts";
import { deletedCopies, limitCopies } from "./limit-copies.ts";

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

    expect(await limitCopies({ home: home(), maxBytes: 5_000_000, now })).toBeUndefined();
    expect(await idsOf(one)).toEqual(ids);
    expect(deletedCopies(home())).toBeUndefined();
  });

  it("are deleted beyond it, the oldest first, wherever they are", async () => {
    const [one, other] = [open("one"), open("other")];
    const old = await make(one, 4);
    const young = await make(other, 4);
    const deleted = await limitCopies({ home: home(), maxBytes: 4_500_000, now });

    expect(bytes()).toBeLessThan(4_700_000);
    expect(deleted).toEqual({ at: now, count: 4, maxBytes: 4_500_000 });
    // The latest of each stays.
    expect(await idsOf(one)).toEqual(old.slice(3));
    expect(await idsOf(other)).toEqual(young.slice(1));
    expect(deletedCopies(home())).toEqual(deleted);
    for (const id of young.slice(1)) expect((await other.restore(id)).left).toEqual([]);
  });

  it("stay if an undo needs them", async () => {
    const one = open("one");
    const [first] = await make(one, 2);
    const { safety } = await one.restore(first!);
    await make(one, 4);
    await limitCopies({ home: home(), maxBytes: 1, now });

    expect(await idsOf(one)).toEqual(expect.arrayContaining([first, safety]));
    expect(await idsOf(one)).toHaveLength(3);
  });
});
