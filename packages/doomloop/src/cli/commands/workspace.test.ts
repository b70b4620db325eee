import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { runCommand } from "../../../../../test/run-command.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
});
afterEach(() => sandbox.remove());

const run = (...args: string[]) =>
  sandbox.doomloop([...args, "--root", "project"], { XDG_STATE_HOME: join(sandbox.folder, "xdg") });
const read = (path: string): string => readFileSync(join(sandbox.folder, path), "utf8");

describe("doomloop checkpoint, restore and undo", () => {
  it("go back and forth", async () => {
    sandbox.write("project/a.ts", "old\n");
    expect((await run("checkpoint", "--label", "first")).stdout).toMatch(
      /^Checkpoint [0-9a-f]{12}: 1 file of \/.*project\n$/,
    );
    sandbox.write("project/a.ts", "new\n");
    sandbox.write("project/b.ts", "new\n");

    const planned = await run("restore", "--dry-run");
    expect(planned).toMatchObject({ code: 0, stderr: "" });
    expect(planned.stdout).toMatch(
      /^1 file would be restored and 1 deleted to match checkpoint .*\n.*:\n {2}- b\.ts, last changed .*\n {2}~ a\.ts, last changed .*\n$/,
    );
    expect((await run("restore")).stdout).toMatch(
      /^1 file restored and 1 deleted .*\nThe files as they were are checkpoint .*doomloop undo --root project\n$/s,
    );
    expect([read("project/a.ts"), existsSync(join(sandbox.folder, "project/b.ts"))]).toEqual(["old\n", false]);
    expect((await run("undo")).code).toBe(0);
    expect(read("project/a.ts")).toBe("new\n");
    expect((await run("checkpoint", "--list")).stdout).toMatch(
      /^id +made +files +label\n(?:[0-9a-f]{12} +just now +[12] +.*\n){3}$/,
    );
  });

  it("restore some files, by paths from where we are", async () => {
    for (const name of ["a", "b"]) sandbox.write(`project/${name}`, "old\n");
    const { id } = JSON.parse((await run("checkpoint", "--json")).stdout) as { id: string };
    for (const name of ["a", "b"]) sandbox.write(`project/${name}`, "new\n");
    await run("restore", id.slice(0, 6), "project/a");

    expect([read("project/a"), read("project/b")]).toEqual(["old\n", "new\n"]);
  });

  it("say in one line that there is nothing to do", async () => {
    sandbox.write("project/a", "x\n");
    await run("checkpoint");

    expect((await run("restore")).stdout).toMatch(
      /^Nothing to restore: all files are already as in checkpoint [0-9a-f]{12}\.\n$/,
    );
  });

  it("do not say that all is as it was where only a part was looked at", async () => {
    sandbox.write("project/a", "x\n");
    const { id } = JSON.parse((await run("checkpoint", "--json")).stdout) as { id: string };
    sandbox.write("project/a", "y\n");

    expect((await run("restore", id, "project/typo")).stdout).toMatch(
      /^Nothing to restore: those files are already as in .* or are not in it\.\n$/,
    );
  });

  it("do not say that all is as it was where something is left", async () => {
    sandbox.write("project/src/a", "x\n");
    await run("checkpoint");
    execFileSync("git", ["init", "--quiet", join(sandbox.folder, "project/src")]);
    const { code, stdout, stderr } = await run("restore");

    expect(stdout).toMatch(/^Nothing restored to checkpoint [0-9a-f]{12}: the differences are left as they are\.\n$/);
    expect(stderr).toMatch(/^src left as it is: it is now a separate repository\n/);
    expect(code).toBe(1);
  });

  it("say that a home is no workspace", async () => {
    mkdirSync(join(sandbox.folder, "home"));
    const { code, stderr } = await sandbox.doomloop(["checkpoint"], {}, join(sandbox.folder, "home"));

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("a home folder cannot be a workspace"),
    });
  });

  it("warn where HEAD has moved", async () => {
    const git = (...words: string[]): Buffer =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: join(sandbox.folder, "project"),
      });
    sandbox.write("project/a", "x\n");
    git("init", "--quiet");
    await run("checkpoint");
    sandbox.write("project/b", "x\n");
    git("add", ".");
    git("commit", "--quiet", "--message=x");

    for (const words of [["restore", "--dry-run"], ["restore"]]) {
      expect((await run(...words)).stderr).toMatch(/^HEAD has moved since this checkpoint: files .*\n$/);
    }
  });

  it("show names without what they would do to a terminal", async () => {
    mkdirSync(join(sandbox.folder, "project"));
    await run("checkpoint", "--label", "x\u001b[31m");
    sandbox.write("project/a\u001b[2Jb", "x\n");

    expect((await run("restore", "--dry-run")).stdout).toContain("- a\\u{1b}[2Jb, last changed");
    expect((await run("checkpoint", "--list")).stdout).not.toContain("\u001b");
  });

  it("fit on a terminal", async () => {
    for (const name of ["a", "b"]) sandbox.write(`project/${name}`, "old\n");
    await run("checkpoint");
    sandbox.write("project/a", "new\n");
    sandbox.write("project/c", "new\n");
    const env = { PATH: process.env.PATH, HOME: sandbox.folder, XDG_STATE_HOME: join(sandbox.folder, "xdg") };
    const place = { cwd: sandbox.folder, env, columns: 80 };
    const { stdout } = await runCommand(["restore", "--root", "project", "--dry-run"], place);

    expect(stdout).toMatch(/^1 file would be restored and 1 deleted to match\b/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    { args: ["restore"], message: "there is no checkpoint yet" },
    { args: ["restore", "0123456789ab"], message: "no checkpoint 0123456789ab" },
    { args: ["undo"], message: "undo: there is no restore to undo" },
  ])("say what is wrong with $args", async ({ args, message }) => {
    mkdirSync(join(sandbox.folder, "project"));
    const { code, stderr } = await run(...args);

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each([[["checkpoint", "--list"]], [["restore"]], [["restore", "0123456789ab"]], [["undo"]]])(
    "leave nothing behind where there is no checkpoint, for %j",
    async (args) => {
      mkdirSync(join(sandbox.folder, "project"));
      await run(...args);

      expect(existsSync(join(sandbox.folder, "xdg"))).toBe(false);
    },
  );
});

describe.skipIf(process.platform === "win32")("in a hostile place", () => {
  it("runs nothing of the workspace, its configuration, the user's or the environment's", async () => {
    const canary = join(sandbox.folder, "canary");
    const trap = join(sandbox.folder, sandbox.write("trap", `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`));
    chmodSync(trap, 0o755);
    execFileSync("git", ["init", "--quiet", join(sandbox.folder, "project")]);
    const config = `[core]\n fsmonitor = ${trap}\n hooksPath = ${join(sandbox.folder, "hooks")}\n pager = ${trap}\n[filter "f"]\n clean = ${trap}\n smudge = ${trap}\n process = ${trap}\n[diff]\n external = ${trap}\n[diff "d"]\n textconv = ${trap}\n command = ${trap}\n[credential]\n helper = ${trap}\n[alias]\n ls-files = !${trap}\n`;
    sandbox.write("project/.git/config", config);
    sandbox.write("home/.gitconfig", config);
    sandbox.write("home/.config/git/config", config);
    sandbox.write("project/.gitattributes", "* filter=f diff=d\n");
    for (const name of [
      "hooks/post-index-change",
      "hooks/reference-transaction",
      "project/node_modules/.bin/git",
      "project/git",
    ]) {
      chmodSync(join(sandbox.folder, sandbox.write(name, readFileSync(trap, "utf8"))), 0o755);
    }
    const env = {
      XDG_STATE_HOME: join(sandbox.folder, "xdg"),
      PATH: `${join(sandbox.folder, "project/node_modules/.bin")}:.:${process.env.PATH}`,
      GIT_DIR: join(sandbox.folder, "project/.git"),
      GIT_INDEX_FILE: join(sandbox.folder, "project/.git/index"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: trap,
      GIT_EXTERNAL_DIFF: trap,
      GIT_EXEC_PATH: join(sandbox.folder, "hooks"),
      GIT_TRACE: canary,
    };
    const hostile = (...args: string[]) => sandbox.doomloop([...args, "--root", "project"], env);

    sandbox.write("project/a", "old\r\n");
    expect(await hostile("checkpoint")).toMatchObject({ code: 0, stderr: "" });
    sandbox.write("project/a", "new\n");
    expect((await hostile("restore")).code).toBe(0);
    expect((await hostile("undo")).code).toBe(0);
    expect([existsSync(canary), read("project/a"), existsSync(join(sandbox.folder, "project/.git/index"))]).toEqual([
      false,
      "new\n",
      false,
    ]);
  });
});

/** A terminal for tests: that of util-linux, which other systems write otherwise. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasTerminal)("doomloop restore, and undo, on a terminal", () => {
  const main = resolve(import.meta.dirname, "../main.ts");

  /** Types an answer as soon as there is a question. */
  const onTerminal = (answer: string, ...words: string[]): Promise<{ shown: string; code: number | null }> => {
    const [name = "restore"] = words.splice(0, words[0] === "undo" ? 1 : 0);
    const command = [process.execPath, main, name, "--root", "project", ...words].join(" ");
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: sandbox.folder,
      env: { PATH: process.env.PATH, HOME: sandbox.folder, XDG_STATE_HOME: join(sandbox.folder, "xdg") },
    });
    let shown = "";
    child.stdout.on("data", (piece) => {
      const isNew = !shown.includes("[y/N]");
      shown += piece;
      if (isNew && shown.includes("[y/N]")) child.stdin.write(`${answer}\n`);
    });
    return new Promise((done) => child.on("close", (code) => done({ shown, code })));
  };

  const change = async (files: number): Promise<void> => {
    sandbox.write("project/kept", "");
    await run("checkpoint");
    for (let at = 0; at < files; at++) sandbox.write(`project/${at}.ts`, "new\n");
  };
  const isFirstThere = (): boolean => existsSync(join(sandbox.folder, "project/0.ts"));

  it("asks before it changes more than 20 files", async () => {
    await change(21);
    const no = await onTerminal("n");
    expect([no.code, isFirstThere()]).toEqual([1, true]);
    expect(no.shown).toMatch(/Go back to checkpoint [0-9a-f]{12}: delete 21 files\?\s+\(--dry-run lists them\) \[y/);
    const yes = await onTerminal("y");
    expect([yes.code, isFirstThere()]).toEqual([0, false]);
    const undone = await onTerminal("y", "undo");
    expect(undone.shown).toMatch(/Go back to checkpoint [0-9a-f]{12}: restore 21 files\?/);
    expect([undone.code, isFirstThere()]).toEqual([0, true]);
  });

  it("does not ask about fewer, nor where it is told not to", async () => {
    await change(20);
    expect((await onTerminal("n")).code).toBe(0);
    expect(isFirstThere()).toBe(false);
    await change(21);
    const told = await onTerminal("n", "--yes");
    expect([told.code, isFirstThere(), told.shown.includes("[y/N]")]).toEqual([0, false, false]);
  });
});
