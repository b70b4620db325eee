import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, claudeSession, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { wiredPlaces } from "../../agents/settings/wired-files.ts";
import { startResident } from "../../service/resident.ts";
import { stateFolder } from "../../system/state-folder.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
});
afterEach(() => sandbox.remove());

const inHome = (name: string): string => join(sandbox.folder, "home", name);
const read = (name: string): string => readFileSync(inHome(name), "utf8");
const write = (name: string, text: string): void => void sandbox.write(join("home", name), text);
const CLAUDE = ".claude/settings.json";

describe("doomloop init", () => {
  it("wires every agent that is there, and uninstall leaves nothing of it", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    for (const folder of [".codex", ".gemini", ".qwen", ".copilot", ".cline", ".config/opencode"]) {
      mkdirSync(inHome(folder), { recursive: true });
    }
    const { code, stdout, stderr } = await sandbox.doomloop(["init", "--yes"]);

    expect(code).toBe(0);
    expect(stdout.trim().split("\n").sort()).toEqual([
      "Claude Code: adds 9 hooks to ~/.claude/settings.json",
      "Cline: creates 4 files in ~/.cline/hooks",
      "Codex: adds 7 hooks to ~/.codex/hooks.json",
      "Copilot CLI: creates ~/.copilot/hooks/doomloop.json",
      "Gemini CLI: adds 4 hooks to ~/.gemini/settings.json",
      "Qwen Code: adds 9 hooks to ~/.qwen/settings.json",
      "opencode: creates ~/.config/opencode/plugins/doomloop.js",
    ]);
    expect(stderr).toContain("Codex: Codex runs no hook until you trust it");
    expect(JSON.parse(read(".codex/hooks.json"))).toHaveProperty("hooks.PreToolUse");
    expect(JSON.parse(read(".gemini/settings.json"))).toHaveProperty("hooks.BeforeTool");
    expect(JSON.parse(read(".copilot/hooks/doomloop.json"))).toHaveProperty("hooks.preToolUse");
    expect(read(".cline/hooks/PreToolUse")).toMatch(
      /^#!\/bin\/sh\nanswer=\$\(\/bin\/sh \S+hook\.sh .* 'hook\/cline\?v=/,
    );
    expect(read(".config/opencode/plugins/doomloop.js")).toMatch(/import\("file:.*createDoomloop\(\{ state: "/);
    if (process.platform !== "win32") expect(statSync(inHome(".cline/hooks/PreToolUse")).mode & 0o777).toBe(0o755);

    const again = await sandbox.doomloop(["init", "--yes"]);
    expect(again.stdout.match(/already wired/g)).toHaveLength(7);

    const removed = await sandbox.doomloop(["uninstall", "--yes"]);
    expect(removed.code).toBe(0);
    expect(removed.stdout).toContain("removes 9 hooks from ~/.claude/settings.json\n");
    expect(removed.stdout).toContain("removes 7 hooks from ~/.codex/hooks.json\n");
    expect(read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
    for (const name of [".codex/hooks.json", ".gemini/settings.json"]) expect(read(name)).toBe("{}\n");
    for (const name of [
      ".copilot/hooks/doomloop.json",
      ".cline/hooks/PreToolUse",
      ".config/opencode/plugins/doomloop.js",
    ])
      expect(existsSync(inHome(name))).toBe(false);
  });

  it("knows its hooks again after an agent has written its settings anew", async () => {
    write(CLAUDE, '{ "model": "opus" }\n');
    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    const anew = `${JSON.stringify(JSON.parse(read(CLAUDE)), undefined, 4)}\n`;
    write(CLAUDE, anew);

    expect((await sandbox.doomloop(["init", "claude-code"])).stdout).toBe("Claude Code: already wired\n");
    expect(read(CLAUDE)).toBe(anew);
    await sandbox.doomloop(["uninstall", "--yes"]);
    expect(read(CLAUDE)).toBe('{\n    "model": "opus"\n}\n');
  });

  it("adds a status line for who asks, keeps it from then on, and gives the file back", async () => {
    const settings = '{\n  "model": "opus"\n}\n';
    write(CLAUDE, settings);
    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    expect(JSON.parse(read(CLAUDE))).not.toHaveProperty("statusLine");

    await sandbox.doomloop(["init", "claude-code", "--status-line", "--yes"]);
    expect(JSON.parse(read(CLAUDE)).statusLine).toEqual({
      type: "command",
      command: expect.stringContaining("status-line/claude-code?"),
    });
    expect((await sandbox.doomloop(["init", "claude-code"])).stdout).toBe("Claude Code: already wired\n");
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--yes"]);
    expect(JSON.parse(read(CLAUDE)).statusLine.command).toMatch(/status-line\/claude-code\?\S+mode=unattended/);

    await sandbox.doomloop(["uninstall", "--yes"]);
    expect(read(CLAUDE)).toBe(settings);
  });

  it("does not replace a status line of somebody else, and wires the hooks all the same", async () => {
    write(CLAUDE, '{ "statusLine": { "type": "command", "command": "~/mine.sh" } }\n');
    const { code, stderr } = await sandbox.doomloop(["init", "claude-code", "--status-line", "--yes"]);

    expect(code).toBe(0);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("there is already another status line; it was not replaced");
    expect(JSON.parse(read(CLAUDE))).toMatchObject({ statusLine: { command: "~/mine.sh" }, hooks: { PreToolUse: {} } });
  });

  it("keeps what was chosen before, until something else is chosen", async () => {
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--start-over", "--yes"]);
    expect((await sandbox.doomloop(["init", "claude-code"])).stdout).toBe("Claude Code: already wired\n");
    // As if the package had moved.
    write(CLAUDE, read(CLAUDE).replaceAll("hook-client/hook.sh", "../agents/hook-client/hook.sh"));
    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    expect(read(CLAUDE)).toContain("mode=unattended&start-over=1");

    await sandbox.doomloop(["init", "claude-code", "--no-start-over", "--yes"]);
    expect(read(CLAUDE)).toContain("mode=unattended'");
    await sandbox.doomloop(["init", "claude-code", "--attended", "--yes"]);
    expect(read(CLAUDE)).toContain("mode=attended'");
  });

  it("says which options an agent cannot honour", async () => {
    const codex = await sandbox.doomloop(["init", "codex", "--status-line", "--yes"]);
    expect(codex).toMatchObject({ code: 0, stderr: expect.stringContaining("Codex: it has no status line") });
  });

  it("takes its status line out of a file that was changed since, and leaves another one there", async () => {
    await sandbox.doomloop(["init", "claude-code", "--status-line", "--yes"]);
    write(CLAUDE, read(CLAUDE).replace("{", '{\n  "model": "opus",'));
    await sandbox.doomloop(["uninstall", "--yes"]);
    expect(JSON.parse(read(CLAUDE))).toEqual({ model: "opus" });
  });

  it("writes nothing without a yes", async () => {
    write(CLAUDE, "{}\n");

    expect(await sandbox.doomloop(["init"])).toMatchObject({ code: 2 });
    expect(await sandbox.doomloop(["init", "--dry-run"])).toMatchObject({ code: 0 });
    expect(read(CLAUDE)).toBe("{}\n");
    expect(existsSync(inHome(".local"))).toBe(false);
  });

  it("is no longer advised by scan once it was done", async () => {
    write(".claude/projects/-api/claude-1.jsonl", claudeSession(Date.now() - 60_000));
    expect((await sandbox.doomloop(["scan"])).stdout).toMatch(/Break the next one .*doomloop init/);
    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    const { stdout } = await sandbox.doomloop(["scan"]);

    expect(stdout).toContain("See one, step by step");
    expect(stdout).not.toContain("doomloop init");
  });

  it.skipIf(!existsSync("/usr/bin/script") || process.platform !== "linux")("ends well after a no", () => {
    write(CLAUDE, "{}\n");
    const main = join(import.meta.dirname, "../main.ts");
    const terminal = ["-qec", `${process.execPath} ${main} init claude-code`, "/dev/null"];
    const env = { PATH: process.env.PATH, HOME: inHome("") };
    const { status, stdout } = spawnSync("/usr/bin/script", terminal, { input: "n\n", env, encoding: "utf8" });

    expect(stdout).toContain("Nothing was written.");
    expect(status).toBe(0);
    expect(read(CLAUDE)).toBe("{}\n");
  });

  it("says how to do it by hand where a file cannot be edited, and goes on with the others", async () => {
    write(CLAUDE, "model = opus\n");
    mkdirSync(inHome(".codex"), { recursive: true });
    const { code, stdout } = await sandbox.doomloop(["init", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toContain("Add this by hand:");
    expect(read(CLAUDE)).toBe("model = opus\n");
    expect(read(".codex/hooks.json")).toContain("hook/codex?");
  });

  it("does not replace a hook of Cline that somebody else wrote", async () => {
    write(".cline/hooks/PreToolUse", "#!/bin/sh\necho mine\n");
    const { code, stdout } = await sandbox.doomloop(["init", "cline", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toContain("doomloop did not write it");
    expect(read(".cline/hooks/PreToolUse")).toBe("#!/bin/sh\necho mine\n");
    expect(existsSync(inHome(".cline/hooks/PostToolUse"))).toBe(false);
  });

  it("does not replace a plugin of opencode that somebody else wrote", async () => {
    write(".config/opencode/plugins/doomloop.js", "export const mine = async () => ({});\n");

    expect((await sandbox.doomloop(["init", "opencode", "--yes"])).code).toBe(1);
    expect((await sandbox.doomloop(["uninstall", "--yes"])).code).toBe(0);
    expect(read(".config/opencode/plugins/doomloop.js")).toBe("export const mine = async () => ({});\n");
  });

  it.skipIf(process.platform === "win32")("edits what a link leads to, and keeps link and mode", async () => {
    write("dotfiles/claude.json", "{}\n");
    chmodSync(inHome("dotfiles/claude.json"), 0o640);
    mkdirSync(inHome(".claude"));
    symlinkSync("../dotfiles/claude.json", inHome(CLAUDE));

    expect((await sandbox.doomloop(["init", "claude-code", "--yes"])).code).toBe(0);
    expect(read("dotfiles/claude.json")).toContain("hook/claude-code?");
    expect(statSync(inHome("dotfiles/claude.json")).mode & 0o777).toBe(0o640);
    expect((await sandbox.doomloop(["uninstall", "--yes"])).code).toBe(0);
    expect(read(CLAUDE)).toBe("{}\n");
  });

  it.skipIf(process.platform === "win32")("refuses a link that leads nowhere", async () => {
    mkdirSync(inHome(".claude"), { recursive: true });
    symlinkSync("nowhere.json", inHome(CLAUDE));

    expect((await sandbox.doomloop(["init", "claude-code", "--yes"])).code).toBe(1);
  });

  it("honours the folders that agents are told to use", async () => {
    const CLAUDE_CONFIG_DIR = join(sandbox.folder, "elsewhere");
    mkdirSync(CLAUDE_CONFIG_DIR);

    expect((await sandbox.doomloop(["init", "--yes"], { CLAUDE_CONFIG_DIR, PATH: "" })).code).toBe(0);
    expect(readFileSync(join(CLAUDE_CONFIG_DIR, "settings.json"), "utf8")).toContain("hook/claude-code?");
    expect(existsSync(inHome(".claude"))).toBe(false);
  });

  it("notes where Codex is, for a hook that has to start it, also when it has moved", async () => {
    const CODEX_HOME = inHome("elsewhere");
    const state = stateFolder({ env: {}, platform: process.platform, home: inHome("") });
    const found = async (name: string): Promise<unknown> => {
      const program = join(inHome(name), process.platform === "win32" ? "codex.exe" : "codex");
      write(join(name, basename(program)), "");
      const setting = { CODEX_HOME, PATH: inHome(name), XDG_STATE_HOME: "" };
      await sandbox.doomloop(["init", "codex", "--yes"], setting, inHome("elsewhere"));
      return wiredPlaces(state, "codex").map((place) => [place.folder, place.program === program]);
    };
    mkdirSync(CODEX_HOME, { recursive: true });

    expect(await found("one")).toEqual([[CODEX_HOME, true]]);
    expect(await found("two")).toEqual([[CODEX_HOME, true]]);
  });

  it("warns of a hook that lies where agents work", async () => {
    const source = join(import.meta.dirname, "../../..");
    const { stderr } = await sandbox.doomloop(["init", "codex", "--yes"], {}, source);

    expect(stderr).toContain("The hook is inside a project");
  });

  it("says which name stands twice in a file that it leaves alone", async () => {
    write(CLAUDE, '{"hooks": {"Stop": [], "Stop": []}}');
    const { code, stdout } = await sandbox.doomloop(["init", "claude-code", "--yes"]);

    expect(stdout).toContain('the name "Stop" appears twice');
    expect(code).toBe(1);
  });

  it("names what there is where it finds nothing, or is told of something else", async () => {
    expect(await sandbox.doomloop(["init"], { PATH: "" })).toMatchObject({ code: 2 });
    expect((await sandbox.doomloop(["init", "vim"])).stderr).toContain("choose from claude-code, codex");
  });
});

describe("doomloop init --start-over", () => {
  it("is kept in the command, and uninstall finds it", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--start-over", "--yes"]);

    expect(read(CLAUDE)).toMatch(/mode=unattended&start-over=1/);
    await sandbox.doomloop(["uninstall", "--yes"], { XDG_STATE_HOME: join(sandbox.folder, "other-state") });
    expect(read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
  });

  it("is for where nobody watches", async () => {
    const { code, stderr } = await sandbox.doomloop(["init", "claude-code", "--attended", "--start-over", "--yes"]);

    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--start-over and --attended cannot be combined"),
    });
  });
});

describe("doomloop init --notify", () => {
  const notify = (command: string, ...words: string[]) =>
    sandbox.doomloop(["init", "claude-code", "--notify", command, ...words]);
  const kept = (): string | undefined => {
    const file = join(stateFolder({ env: {}, platform: process.platform, home: inHome("") }), "notify");
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };

  it("says what it keeps, also where the agent is wired already", async () => {
    write(CLAUDE, "{}\n");
    expect((await notify("beep one", "--yes")).stderr).toContain("told to start over, this command runs: beep one\n");
    const again = await notify("beep \u001b[2J");

    expect(again.stdout).toContain("Claude Code: already wired");
    expect(again.stderr).toContain("told to start over, this command runs: beep \\u{1b}[2J\n");
    expect((await notify("")).stderr).toContain("No command will run");
    expect(kept()).toBeUndefined();
  });

  it("keeps nothing where nothing is written", async () => {
    write(CLAUDE, "{}\n");
    await notify("beep", "--dry-run");
    // It cannot ask here.
    expect((await notify("beep")).code).toBe(2);
    expect(kept()).toBeUndefined();
  });
});

describe("doomloop uninstall", () => {
  it("ends the resident guard once no agent is wired any more", async () => {
    const state = stateFolder({ env: {}, platform: process.platform, home: inHome("") });
    write(CLAUDE, "{}\n");
    await sandbox.doomloop(["init", "claude-code", "codex", "--yes"]);
    const resident = await startResident({ state, version: "0.0.1", onFault() {} });

    expect((await sandbox.doomloop(["uninstall", "codex", "--yes"])).stderr).not.toContain("has ended");
    expect((await sandbox.doomloop(["uninstall", "--yes"])).stderr).toContain("The resident guard has ended.\n");
    await resident?.ended;
  });

  it("says which copies of files it leaves, that they are the only ones, and how to remove them", async () => {
    const state = join(sandbox.folder, "kept");
    const project = sandbox.write(join("project", "a.txt"), "x".repeat(300_000)).replace(/[^/\\]*$/, "");
    write(CLAUDE, "{}\n");
    await sandbox.doomloop(["init", "claude-code", "--yes"], { XDG_STATE_HOME: state });
    await sandbox.doomloop(["checkpoint", "--root", project], { XDG_STATE_HOME: state });
    const { stderr } = await sandbox.doomloop(["uninstall", "--yes"], { XDG_STATE_HOME: state });

    expect(stderr).toContain("They are the only ones");
    expect(stderr).toMatch(/\d+\.\d [kM]B {2}\S*project/);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/in \S*workspaces\. .*delete the folder/);
    expect(stderr).not.toContain("nobody needs it");
    expect(existsSync(join(state, "doomloop", "workspaces"))).toBe(true);
  });

  it("finds its hooks by their look where nothing is noted", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--yes"]);
    const state = join(sandbox.folder, "other-state");

    expect((await sandbox.doomloop(["uninstall", "--yes"], { XDG_STATE_HOME: state })).code).toBe(0);
    expect(read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
  });

  it("keeps what was written since", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    writeFileSync(inHome(CLAUDE), read(CLAUDE).replace("opus", "haiku"));

    expect((await sandbox.doomloop(["uninstall", "--yes"])).code).toBe(0);
    expect(read(CLAUDE)).toBe('{\n  "model": "haiku"\n}\n');
    expect((await sandbox.doomloop(["uninstall", "--yes"])).stderr).toContain("have no doomloop hook");
  });
});
