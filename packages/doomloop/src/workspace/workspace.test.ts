import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createWorkspace, type Workspace, type WorkspaceOptions } from "doomloop/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-workspace-")));
  root = join(home, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const stateDirectory = (): string => join(home, "state");
const open = (options: Partial<WorkspaceOptions> = {}): Workspace =>
  createWorkspace({ root, stateDirectory: stateDirectory(), ...options });
const read = (path: string): string => readFileSync(join(root, path), "utf8");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** All contents in the shadow repository, concatenated. */
function copied(): string {
  const words = ["cat-file", "--batch-all-objects", "--batch"];
  const env = { GIT_DIR: join(stateDirectory(), "workspace-2", "shadow.git"), PATH: process.env.PATH };
  return execFileSync("git", words, { env, encoding: "latin1" });
}

describe("a restore", () => {
  it("restores changed files, deletes new ones, and leaves the rest", async () => {
    const { checkpoint, restore } = open();
    write("src/parser.ts", "old\n");
    write("README.md", "same\n");
    const { id, files } = await checkpoint("before the agent");
    write("src/parser.ts", "worse\n");
    write("scratch/try-1.ts", "x\n");
    const report = await restore(id);

    expect(files).toBe(2);
    expect(report.changes).toEqual([
      { path: "scratch/try-1.ts", change: "deleted", changedAt: expect.any(Number) },
      { path: "src/parser.ts", change: "changed", changedAt: expect.any(Number) },
    ]);
    expect([read("src/parser.ts"), read("README.md"), existsSync(join(root, "scratch"))]).toEqual([
      "old\n",
      "same\n",
      false,
    ]);
  });

  it("can be undone and redone", async () => {
    const { checkpoint, restore, undo } = open();
    write("a", "old\n");
    const { id } = await checkpoint();
    write("a", "new\n");
    await restore(id);
    await undo();
    expect(read("a")).toBe("new\n");
    await undo();
    expect(read("a")).toBe("old\n");
  });

  it("is undone without touching later changes", async () => {
    const { checkpoint, restore, undo } = open();
    write("a", "old\n");
    const { id } = await checkpoint();
    write("a", "new\n");
    await restore(id);
    write("b", "later\n");
    await undo();

    expect([read("a"), read("b")]).toEqual(["new\n", "later\n"]);
  });

  it("touches only the given paths", async () => {
    const { checkpoint, restore } = open();
    for (const path of ["a", "src/b", "src-c"]) write(path, "old\n");
    const { id } = await checkpoint();
    for (const path of ["a", "src/b", "src-c"]) write(path, "new\n");
    await restore(id, { paths: ["src/"] });

    expect([read("a"), read("src/b"), read("src-c")]).toEqual(["new\n", "old\n", "new\n"]);
  });

  it.each(["../x", "/etc", "src/../../x", "", "/", ".git/config"])("refuses the path %j", async (path) => {
    const { checkpoint, restore } = open();
    const { id } = await checkpoint();

    await expect(restore(id, { paths: [path] })).rejects.toMatchObject({ code: "invalid-option" });
  });

  it.each([".", "./"])("takes %j for the whole workspace", async (path) => {
    const { checkpoint, restore } = open();
    const { id } = await checkpoint();
    write("src/a", "new\n");

    expect((await restore(id, { paths: [path], dryRun: true })).changes).toHaveLength(1);
  });

  it("changes nothing in a dry run, and says when each file was edited", async () => {
    const { checkpoint, restore, list } = open();
    write("a", "old\n");
    const { id } = await checkpoint();
    write("a", "new\n");
    const { changes, safety } = await restore(id, { dryRun: true });

    const changedAt = Math.round(lstatSync(join(root, "a")).ctimeMs);
    expect({ changes, safety }).toEqual({ changes: [{ path: "a", change: "changed", changedAt }], safety: undefined });
    expect([read("a"), (await list()).length]).toEqual(["new\n", 1]);
  });

  it("is not the one to undo if it changed nothing", async () => {
    const { checkpoint, restore, undo } = open();
    write("a", "old\n");
    write("b", "old\n");
    const { id } = await checkpoint();
    write("a", "new\n");
    rmSync(join(root, "b"));
    write(".gitignore", "b/x\n");
    write("b/x", "in the way\n");
    await restore(id, { paths: ["a"] });
    const { changes, left, safety } = await restore(id, { paths: ["b"] });
    expect({ changes, left: left.length, safety }).toEqual({ changes: [], left: 1, safety: undefined });
    await undo();

    expect(read("a")).toBe("new\n");
  });

  it("reports that HEAD has moved, also in a work tree and with packed refs", async () => {
    const git = (...words: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root, encoding: "utf8" });
    const hasMoved = async (id: string) => (await open().restore(id, { dryRun: true })).hasHeadMoved;
    git("init", "--quiet", "../main");
    git("-C", "../main", "commit", "--quiet", "--allow-empty", "--message=x");
    git("-C", "../main", "worktree", "add", "--quiet", "-b", "topic", "../root");
    const { id, head } = await open().checkpoint();
    expect(head).toBe(git("rev-parse", "HEAD").trim());
    git("pack-refs", "--all");
    expect(await hasMoved(id)).toBe(false);
    git("commit", "--quiet", "--allow-empty", "--message=y");
    expect(await hasMoved(id)).toBe(true);
    git("checkout", "--quiet", "--detach", head!);
    expect(await hasMoved(id)).toBe(false);
  });

  it.skipIf(process.platform === "win32")("brings permissions back, also of files that were deleted", async () => {
    const { checkpoint, restore } = open();
    const modeOf = (path: string): number => lstatSync(join(root, path)).mode & 0o777;
    for (const path of ["secret", "script"]) write(path, "x\n");
    chmodSync(join(root, "secret"), 0o600);
    chmodSync(join(root, "script"), 0o755);
    const { id } = await checkpoint();
    rmSync(join(root, "secret"));
    chmodSync(join(root, "script"), 0o644);
    await restore(id);

    expect([modeOf("secret"), modeOf("script")]).toEqual([0o600, 0o755]);
  });

  it.skipIf(process.platform === "win32")("gives folders their permissions again, whatever the umask is", async () => {
    const { checkpoint, restore } = open();
    write("keys/deep/a", "x\n");
    for (const folder of ["plain", "shared"]) write(`${folder}/a`, "x\n");
    for (const [folder, mode] of [
      ["keys", 0o700],
      ["keys/deep", 0o755],
      ["plain", 0o755],
      ["shared", 0o775],
    ] as const)
      chmodSync(join(root, folder), mode);
    const { id } = await checkpoint();
    for (const folder of ["keys", "plain", "shared"]) rmSync(join(root, folder), { recursive: true });
    const umask = process.umask(0o077);
    try {
      await restore(id);
    } finally {
      process.umask(umask);
    }
    const modes = ["keys", "keys/deep", "plain", "shared"].map((folder) => lstatSync(join(root, folder)).mode & 0o777);

    expect(modes).toEqual([0o700, 0o755, 0o755, 0o775]);
  });

  it("replaces an empty folder by the file that was there", async () => {
    const { checkpoint, restore } = open();
    write("a", "old\n");
    const { id } = await checkpoint();
    rmSync(join(root, "a"));
    mkdirSync(join(root, "a"));
    await restore(id);

    expect(read("a")).toBe("old\n");
  });

  it("notices a change within one second that keeps size and time", async () => {
    const { checkpoint, restore } = open();
    write("a", "old\n");
    const { atimeMs, mtimeMs } = lstatSync(join(root, "a"));
    const { id } = await checkpoint();
    for (let time = 0; time < 5; time++) {
      write("a", "new\n");
      utimesSync(join(root, "a"), atimeMs / 1000, mtimeMs / 1000);
      expect((await restore(id)).changes).toMatchObject([{ path: "a", change: "changed" }]);
    }
  });

  it.skipIf(process.platform === "win32")("leaves a file as it is that somebody changes in the meantime", async () => {
    const program = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const script = `#!/bin/sh\ncase "$*" in *checkout-index*) echo mine > '${join(root, "a")}';; esac\nexec ${program} "$@"\n`;
    writeFileSync(join(home, "git"), script, { mode: 0o755 });
    const { checkpoint, restore } = open({ git: join(home, "git") });
    for (const path of ["a", "b"]) write(path, "old\n");
    const { id } = await checkpoint();
    for (const path of ["a", "b"]) write(path, "new\n");
    const { changes, left } = await restore(id);

    expect(left).toEqual([{ path: "a", because: "somebody has changed it in the meantime" }]);
    expect([changes.map(({ path }) => path), read("a"), read("b")]).toEqual([["b"], "mine\n", "old\n"]);
  });

  it("does not write through a hard link", async () => {
    const { checkpoint, restore } = open();
    write("a", "old\n");
    const { id } = await checkpoint();
    linkSync(join(root, "a"), join(home, "elsewhere"));
    write("a", "new\n");
    await restore(id);

    expect([read("a"), readFileSync(join(home, "elsewhere"), "utf8")]).toEqual(["old\n", "new\n"]);
  });

  it("restores both of two hard links", async () => {
    const { checkpoint, restore } = open();
    write("a", "old\n");
    linkSync(join(root, "a"), join(root, "b"));
    const { id } = await checkpoint();
    write("a", "new\n");
    const { left } = await restore(id);

    expect([read("a"), read("b"), left]).toEqual(["old\n", "old\n", []]);
  });
});

describe("what is left out", () => {
  it("is reported: ignored files, repositories, and files that are too large", async () => {
    write(".gitignore", "*.log\n");
    write("a.log", "x");
    write("large", "x".repeat(2000));
    execFileSync("git", ["init", "--quiet", join(root, "vendor")]);
    const { leftOut } = await open({ maxFileBytes: 1000 }).checkpoint();

    expect(leftOut).toEqual({ ignored: 1, nested: ["vendor"], tooLarge: ["large"], unreadable: [] });
  });

  it.skipIf(process.platform !== "linux")("includes files whose names are not UTF-8", async () => {
    const path = Buffer.concat([Buffer.from(`${root}/no`), Buffer.of(0xff), Buffer.from("text")]);
    writeFileSync(path, "old");
    write("a", "old");
    const { checkpoint, restore } = open();
    const { id, files, leftOut } = await checkpoint();
    writeFileSync(path, "new");
    const { changes } = await restore(id);

    expect([files, leftOut.unreadable, changes]).toEqual([1, ["no\uFFFDtext"], []]);
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  it("includes a git directory under any name, from before or after the checkpoint", async () => {
    const git = (...words: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root, encoding: "utf8" });
    const commit = (folder: string): void =>
      void git("-C", folder, "commit", "--quiet", "--allow-empty", "--message=x");
    const commits = (folder: string): number => git("-C", folder, "log", "--oneline").trim().split("\n").length;
    git("init", "--quiet", "../seed");
    commit("../seed");
    git("clone", "--quiet", "--bare", "../seed", ".bare");
    write(".git", "gitdir: ./.bare\n");
    git("worktree", "add", "--quiet", "-b", "topic", "main");
    mkdirSync(join(root, "store"));
    git("init", "--quiet", "--separate-git-dir=store/odd", "work");
    git("init", "--quiet", "--bare", "vendor/foo.git");
    write("vendor/became/HEAD", "a file\n");
    commit("main");
    commit("work");
    const { checkpoint, restore } = open();
    const { id, leftOut, files } = await checkpoint();
    expect(leftOut.nested.toSorted()).toEqual([".bare", "main", "store/odd", "vendor/foo.git", "work"]);
    expect(files).toBe(1);
    commit("main");
    commit("work");
    rmSync(join(root, "vendor/became/HEAD"));
    git("init", "--quiet", "--bare", "vendor/became");
    git("init", "--quiet", "--bare", "vendor/made.git");
    const { changes, left } = await restore(id);

    expect(changes).toEqual([]);
    expect(left).toEqual([{ path: "vendor/became", because: "it is now a separate repository" }]);
    expect([commits("main"), commits("work")]).toEqual([3, 2]);
    for (const folder of ["vendor/became", "vendor/made.git"]) git("-C", folder, "rev-parse", "--git-dir");
  });

  it("stands beside files that are restored, also where it alone is in a folder", async () => {
    const { checkpoint, restore } = open({ maxFileBytes: 1000 });
    write(".gitignore", "*.log\n");
    for (const path of ["src/a.ts", "src/x.log", "lib/x.log", "data/large"]) write(path, path.repeat(200));
    execFileSync("git", ["init", "--quiet", join(root, "nest/in")]);
    write("src/a.ts", "old\n");
    const { id } = await checkpoint();
    rmSync(join(root, "src/a.ts"));
    for (const folder of ["lib", "data", "nest"]) write(`${folder}/new.ts`, "x\n");
    const { changes, left } = await restore(id);

    expect(left).toEqual([]);
    expect(changes.map(({ path }) => path).toSorted()).toEqual([
      "data/new.ts",
      "lib/new.ts",
      "nest/new.ts",
      "src/a.ts",
    ]);
    for (const path of ["src/x.log", "lib/x.log", "data/large", "nest/in"])
      expect(existsSync(join(root, path))).toBe(true);
  });

  it("is neither deleted nor copied if an agent removes the rules that ignored it", async () => {
    const { checkpoint, restore } = open();
    write(".gitignore", ".env\nbuild/\n");
    write(".env", "TOKEN=canary-1\n");
    write("build/out", "canary-2\n");
    const { id } = await checkpoint();
    rmSync(join(root, ".gitignore"));
    await restore(id);

    expect([read(".env"), read("build/out"), existsSync(join(root, ".gitignore"))]).toEqual([
      "TOKEN=canary-1\n",
      "canary-2\n",
      true,
    ]);
    expect(copied()).not.toContain("canary");
  });

  it("includes new files that the rules of the checkpoint or the current rules ignore", async () => {
    execFileSync("git", ["init", "--quiet", root]);
    const { checkpoint, restore } = open();
    write(".gitignore", ".env\n");
    write("src/.gitignore", "/build/\n");
    write(".git/info/exclude", "notes\n");
    const { id } = await checkpoint();
    write("late.log", "known to a checkpoint\n");
    await checkpoint();
    write(".gitignore", "*.log\n");
    rmSync(join(root, "src/.gitignore"));
    for (const path of [".env", "src/build/out", "notes", ":(top)made"]) write(path, "x\n");
    const { changes, left } = await restore(id);

    expect(changes.map(({ path }) => path)).toEqual([":(top)made", ".gitignore", "src/.gitignore"]);
    expect(left.map(({ path }) => path).toSorted()).toEqual([".env", "late.log", "src/build/out"]);
    for (const path of [".env", "late.log", "notes", "src/build/out"]) expect(existsSync(join(root, path))).toBe(true);
  });

  it("does not include a file that became ignored after the checkpoint: restore and undo handle it", async () => {
    const { checkpoint, restore, undo } = open();
    write("d/x", "old\n");
    const { id } = await checkpoint();
    rmSync(join(root, "d/x"));
    write(".gitignore", "*\n");
    await restore(id);
    expect(read("d/x")).toBe("old\n");
    await undo();

    expect([existsSync(join(root, "d/x")), existsSync(join(root, "d"))]).toEqual([false, true]);
    expect(read(".gitignore")).toBe("*\n");
  });

  it("includes what info/exclude or the user's own file ignores", async () => {
    execFileSync("git", ["init", "--quiet", root]);
    write(".git/info/exclude", "notes\n");
    writeFileSync(join(home, "ignore"), "*.swp\n");
    for (const path of ["notes", "a.swp", "kept"]) write(path, "x\n");

    expect((await open({ ignoreFiles: [join(home, "ignore")] }).checkpoint()).files).toBe(1);
  });

  it("includes a file that grew too large to be saved: it is not overwritten", async () => {
    const { checkpoint, restore } = open({ maxFileBytes: 1000 });
    write("data", "small");
    const { id } = await checkpoint();
    write("data", "x".repeat(2000));
    const { changes, left, leftOut } = await restore(id);

    expect([changes, leftOut.tooLarge, read("data").length]).toEqual([[], ["data"], 2000]);
    expect(left).toEqual([{ path: "data", because: "it is too large to be saved first" }]);
  });
});

/** Root may read everything. */
describe.skipIf(process.platform === "win32" || process.getuid?.() === 0)("a folder that is closed", () => {
  afterEach(() => chmodSync(join(root, "src"), 0o755));

  it.each([0o000, 0o400])("is left as it is and reported: %o", async (mode) => {
    const { checkpoint, restore } = open();
    write("src/a", "old\n");
    chmodSync(join(root, "src/a"), 0o600);
    write("b", "old\n");
    const { id } = await checkpoint();
    write("src/a", "new\n");
    write("b", "new\n");
    chmodSync(join(root, "src"), mode);
    const { changes, left } = await restore(id);

    expect(changes).toMatchObject([{ path: "b", change: "changed" }]);
    expect(left).toEqual([{ path: "src", because: "it cannot be read, so it cannot be saved first" }]);
  });

  it("is not deleted if it could not be read at the checkpoint", async () => {
    const { checkpoint, restore } = open();
    write("src/a", "old\n");
    chmodSync(join(root, "src"), 0o000);
    const { id } = await checkpoint();
    chmodSync(join(root, "src"), 0o755);
    await restore(id);

    expect(read("src/a")).toBe("old\n");
  });
});

describe("createWorkspace", () => {
  it("makes its state readable for its owner only", async () => {
    await open().checkpoint();

    expect(lstatSync(join(stateDirectory(), "workspace-2")).mode & 0o077).toBe(0);
  });

  it.each(["root/state", "root", "."])("refuses a state directory in or around the workspace: %s", (path) => {
    expect(() => open({ stateDirectory: join(home, path) })).toThrow(/stateDirectory: a folder outside the workspace/);
  });

  it("refuses a workspace that is a bare repository", () => {
    execFileSync("git", ["init", "--quiet", "--bare", root]);

    expect(() => open()).toThrow(/root: a folder of files is required, not a bare repository/);
  });

  it("says why a state folder cannot be written", async () => {
    writeFileSync(join(home, "file"), "");

    await expect(open({ stateDirectory: join(home, "file", "state") }).checkpoint()).rejects.toMatchObject({
      code: "workspace-fault",
      message: expect.stringMatching(/^workspace: lstat .*: not a directory$/),
    });
  });

  it("refuses the state of another workspace", async () => {
    await open().checkpoint();
    mkdirSync(join(home, "other"));

    await expect(open({ root: join(home, "other") }).list()).rejects.toThrow(/stateDirectory: a folder for .* is for/);
  });

  it.each([{ root: "/nowhere" }, { root: "" }, { maxFileBytes: 0 }, { stateDirectory: "" }])(
    "refuses %j",
    (options) => {
      expect(() => open(options)).toThrow(/^createWorkspace: /);
    },
  );

  it("says that git is missing", async () => {
    await expect(open({ git: "/nowhere/git" }).checkpoint()).rejects.toMatchObject({ code: "git-missing" });
  });

  it("says which checkpoint does not exist, and that there is nothing to undo", async () => {
    await expect(open().restore("0123456789ab")).rejects.toMatchObject({ code: "unknown-checkpoint" });
    await expect(open().undo()).rejects.toMatchObject({ code: "unknown-checkpoint" });
  });

  it("lets several processes use one workspace, one after another", async () => {
    write("a", "x\n");
    await Promise.all(Array.from({ length: 5 }, () => open().checkpoint()));

    expect(new Set((await open().list()).map(({ id }) => id)).size).toBe(5);
  });

  it("can save an empty workspace", async () => {
    const { checkpoint, restore } = open();
    const { id } = await checkpoint();
    write("a", "x\n");
    await restore(id);

    expect(existsSync(join(root, "a"))).toBe(false);
  });
});
