import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { actAsAgent, build, isIgnored, type RandomWorkspace, randomWorkspace } from "./random-workspace.ts";
import { bytes, differences, type FolderSnapshot, snapshotOf } from "./snapshot.ts";

/** Each case takes a repository, an agent and about thirty processes. */
const DIVISOR = 250;

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-workspaces-")));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("a restore in any workspace", () => {
  it("reverts what the agent did and nothing else, and can be undone", async () => {
    let number = 0;
    const property = fc.asyncProperty(randomWorkspace, async (workspace) => {
      const folder = join(home, String(number++));
      await verify(workspace, folder);
      rmSync(folder, { recursive: true, force: true });
    });
    await fc.assert(property, { numRuns: Math.ceil(propertyRuns() / DIVISOR) });
  });
});

async function verify(workspace: RandomWorkspace, folder: string): Promise<void> {
  const root = join(folder, "root");
  const outside = join(folder, "outside");
  const canary = join(folder, "canary");
  const look = () => ({
    files: snapshotOf(root, isOwnGit),
    git: snapshotOf(root, isNoGit),
    outside: snapshotOf(outside),
  });
  build(workspace, { root, outside });
  if (workspace.isRepository) plantTraps(join(root, ".git"), canary);
  const { checkpoint, restore, undo } = createWorkspace({ root, stateDirectory: join(folder, "state") });

  const before = look();
  const { id } = await checkpoint("before");
  expect(differences(look().files, before.files), "a checkpoint changes nothing").toEqual([]);
  actAsAgent(workspace, { root, outside });
  const after = look();
  const foretold = await restore(id, { dryRun: true });
  expect(differences(look().files, after.files), "a dry run changes nothing").toEqual([]);
  const report = await restore(id);
  const restored = look();
  const left = new Set(report.left.map(({ path }) => path));
  const done = foretold.changes.filter(({ path }) => !left.has(path));
  expect(report.changes, "a dry run tells what comes").toEqual(done);
  const mayReplaceFolders = workspace.deeds.some(({ kind }) => /folder$|link$/.test(kind));
  verifyRestored({ before: before.files, after: after.files, restored: restored.files, mayReplaceFolders });
  if (report.safety !== undefined) await undo();
  const undone = look();

  expect(differences(undone.files, after.files), "undoing is going back").toEqual([]);
  for (const { git, outside: others } of [restored, undone]) {
    expect(differences(git, after.git), "the user's repository").toEqual([]);
    expect(differences(others, after.outside), "what links lead to").toEqual([]);
  }
  expect(existsSync(canary), "nothing of the workspace was run").toBe(false);
}

interface Looks {
  readonly before: FolderSnapshot;
  readonly after: FolderSnapshot;
  readonly restored: FolderSnapshot;
  /** Whether a folder may be another one of the same name. What held no file of the checkpoint is not known then. */
  readonly mayReplaceFolders: boolean;
}

/** What a restore should have done to each path. */
function verifyRestored(looks: Looks): void {
  const { before, after, restored, mayReplaceFolders } = looks;
  const rulesBefore = ruleIn(before);
  const rulesAfter = ruleIn(after);
  const wrong: string[] = [];
  for (const path of new Set([...before.keys(), ...after.keys(), ...restored.keys()])) {
    const [was, became, is] = [before.get(path), after.get(path), restored.get(path)];
    const isTouchable = (look: FolderSnapshot, rules: string): boolean =>
      look.has(path) && look.get(path) !== "folder" && isText(path) && !isNested(look, path) && !isIgnored(path, rules);
    const isCaptured = isTouchable(before, rulesBefore);
    const isBlocked = isNested(after, path) || isInTheWay(path, looks);
    if (was === "folder" || became === "folder") {
      if (was === became && is !== "folder" && !mayReplaceFolders) wrong.push(`${path}: the folder is gone`);
      continue;
    }
    const isAgents =
      was === undefined && isTouchable(after, rulesAfter) && !isIgnored(path, rulesBefore) && !isNested(before, path);
    const expected = isBlocked ? became : isCaptured ? was : isAgents ? undefined : became;
    if (is !== expected) wrong.push(`${path}: ${was} became ${became}, is ${is} and should be ${expected}`);
  }
  expect(wrong).toEqual([]);
}

/** Whether the path must stay: a folder with untouchable files replaced the file, or an ignored file replaced its folder. */
function isInTheWay(path: string, { after, restored }: Looks): boolean {
  if (restored.get(path) === "folder" && after.get(path) === "folder") return true;
  const names = path.split("/");
  return names.some((_, at) => {
    const above = names.slice(0, at).join("/");
    const what = restored.get(above);
    return what !== undefined && what !== "folder" && what === after.get(above) && isIgnored(above, ruleIn(after));
  });
}

/** Whether a name is UTF-8. Others are left alone. */
function isText(path: string): boolean {
  return !bytes("", path).toString("utf8").includes("\uFFFD");
}

function isNested(look: FolderSnapshot, path: string): boolean {
  const names = path.split("/");
  return names.some((_, at) => at > 0 && look.has(`${names.slice(0, at).join("/")}/.git`));
}

function ruleIn(look: FolderSnapshot): string {
  return (look.get(".gitignore") ?? "").replace(/^\d+ /, "");
}

function isOwnGit(path: string): boolean {
  return path === ".git";
}

function isNoGit(path: string): boolean {
  return path !== ".git" && !path.startsWith(".git/");
}

/** Everything that git would run because of the workspace's configuration. */
function plantTraps(gitFolder: string, canary: string): void {
  const trap = join(gitFolder, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho "$0" >> '${canary}'\ncat\n`, { mode: 0o755 });
  mkdirSync(join(gitFolder, "hooks"), { recursive: true });
  for (const hook of ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"]) {
    writeFileSync(join(gitFolder, "hooks", hook), `#!/bin/sh\necho hook >> '${canary}'\n`, { mode: 0o755 });
  }
  appendFileSync(
    join(gitFolder, "config"),
    `[core]\n\tfsmonitor = ${trap}\n\teditor = ${trap}\n\tpager = ${trap}\n\tsshCommand = ${trap}\n[filter "evil"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n\tprocess = ${trap}\n\trequired = true\n[diff]\n\texternal = ${trap}\n[gpg]\n\tprogram = ${trap}\n[commit]\n\tgpgSign = true\n`,
  );
}
