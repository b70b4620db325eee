import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";

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
  it("wires every agent that is there, and uninstall leaves all as it was", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    for (const folder of [".codex", ".gemini", ".qwen", ".copilot", ".cline", ".config/opencode"]) {
      mkdirSync(inHome(folder), { recursive: true });
    }
    const { code, stdout, stderr } = await sandbox.doomloop(["init", "--yes"]);

    expect(code).toBe(0);
    expect(stdout).toContain('+    "PostToolBatch": [{ "hooks": [{ "type": "command", "command": "');
    expect(stderr).toContain("Codex: it runs no hook before you trust it");
    expect(JSON.parse(read(".codex/hooks.json"))).toHaveProperty("hooks.PreToolUse");
    expect(JSON.parse(read(".gemini/settings.json"))).toHaveProperty("hooks.BeforeTool");
    expect(JSON.parse(read(".copilot/hooks/doomloop.json"))).toHaveProperty("hooks.preToolUse");
    expect(read(".cline/hooks/PreToolUse")).toMatch(/^#!\/bin\/sh\nanswer=\$\(\S+ \S+ --host cline\)\n/);
    expect(read(".config/opencode/plugins/doomloop.js")).toMatch(
      /import\("file:.*createDoomloop\(\{ unattended: false/,
    );
    if (process.platform !== "win32") expect(statSync(inHome(".cline/hooks/PreToolUse")).mode & 0o777).toBe(0o755);

    const again = await sandbox.doomloop(["init", "--yes"]);
    expect(again.stdout.match(/already wired/g)).toHaveLength(7);

    expect((await sandbox.doomloop(["uninstall", "--yes"])).code).toBe(0);
    expect(read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
    for (const name of [
      ".codex/hooks.json",
      ".gemini/settings.json",
      ".copilot/hooks",
      ".cline/hooks",
      ".config/opencode/plugins",
    ]) {
      expect(existsSync(inHome(name))).toBe(false);
    }
    expect(existsSync(inHome(".codex"))).toBe(true);
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
      command: expect.stringMatching(/--host claude-code --status-line$/),
    });
    expect((await sandbox.doomloop(["init", "claude-code"])).stdout).toBe("Claude Code: already wired\n");
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--yes"]);
    expect(JSON.parse(read(CLAUDE)).statusLine.command).toMatch(/--unattended --status-line$/);

    await sandbox.doomloop(["uninstall", "--yes"]);
    expect(read(CLAUDE)).toBe(settings);
  });

  it("does not replace a status line of somebody else", async () => {
    const settings = '{ "statusLine": { "type": "command", "command": "~/mine.sh" } }\n';
    write(CLAUDE, settings);
    const { code, stdout } = await sandbox.doomloop(["init", "claude-code", "--status-line", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toContain("there is a status line, and it is not replaced");
    expect(read(CLAUDE)).toBe(settings);

    await sandbox.doomloop(["init", "claude-code", "--yes"]);
    expect(JSON.parse(read(CLAUDE)).statusLine.command).toBe("~/mine.sh");
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
    expect(await sandbox.doomloop(["init", "--dry-run"])).toMatchObject({ code: 0, stderr: "" });
    expect(read(CLAUDE)).toBe("{}\n");
    expect(existsSync(inHome(".local"))).toBe(false);
  });

  it("says how to do it by hand where a file cannot be edited, and goes on with the others", async () => {
    write(CLAUDE, "model = opus\n");
    mkdirSync(inHome(".codex"), { recursive: true });
    const { code, stdout } = await sandbox.doomloop(["init", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toContain("To be added by hand:");
    expect(read(CLAUDE)).toBe("model = opus\n");
    expect(read(".codex/hooks.json")).toContain("--host codex");
  });

  it("does not replace a hook of Cline that somebody else wrote", async () => {
    write(".cline/hooks/PreToolUse", "#!/bin/sh\necho mine\n");
    const { code, stdout } = await sandbox.doomloop(["init", "cline", "--yes"]);

    expect(code).toBe(1);
    expect(stdout).toContain("it is not ours");
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
    expect(read("dotfiles/claude.json")).toContain("--host claude-code");
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
    expect(readFileSync(join(CLAUDE_CONFIG_DIR, "settings.json"), "utf8")).toContain("--host claude-code");
    expect(existsSync(inHome(".claude"))).toBe(false);
  });

  it("warns of a hook that lies where agents work", async () => {
    const source = join(import.meta.dirname, "../../..");
    const { stderr } = await sandbox.doomloop(["init", "codex", "--yes"], {}, source);

    expect(stderr).toContain("The hook lies in a project");
  });

  it("says which name stands twice in a file that it leaves alone", async () => {
    write(CLAUDE, '{"hooks": {"Stop": [], "Stop": []}}');
    const { code, stdout } = await sandbox.doomloop(["init", "claude-code", "--yes"]);

    expect(stdout).toContain('the name "Stop" stands there twice');
    expect(code).toBe(1);
  });

  it("names what there is where it finds nothing, or is told of something else", async () => {
    expect(await sandbox.doomloop(["init"], { PATH: "" })).toMatchObject({ code: 2 });
    expect((await sandbox.doomloop(["init", "vim"])).stderr).toContain("there are claude-code, codex");
  });

  it("shows nothing of a file that could turn a terminal around", async () => {
    write(CLAUDE, "{\n  // \u001b[2J\u202e\n}\n");
    const { stdout } = await sandbox.doomloop(["init", "--dry-run"]);

    expect(stdout).toContain("\\u{1b}[2J\\u{202e}");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("doomloop init --start-over", () => {
  it("lets the agent wait longer for the hook, and uninstall finds it", async () => {
    write(CLAUDE, '{\n  "model": "opus"\n}\n');
    await sandbox.doomloop(["init", "claude-code", "--unattended", "--start-over", "--yes"]);

    expect(read(CLAUDE)).toMatch(/--unattended --start-over"/);
    expect(read(CLAUDE)).toMatch(/"timeout": 30/);
    await sandbox.doomloop(["uninstall", "--yes"], { XDG_STATE_HOME: join(sandbox.folder, "other-state") });
    expect(read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
  });

  it("is for where nobody watches", async () => {
    const { code, stderr } = await sandbox.doomloop(["init", "claude-code", "--start-over", "--yes"]);

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("--unattended is required") });
  });
});

describe("doomloop uninstall", () => {
  it("finds its hooks by their look where the receipts are gone", async () => {
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
    expect((await sandbox.doomloop(["uninstall", "--yes"])).stderr).toContain("There is no hook of doomloop");
  });
});
