import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { spawnCommand } from "../../../../../test/run-command.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
  mkdirSync(join(sandbox.folder, "tmp"));
});
afterEach(() => sandbox.remove());

const inHome = (name: string): string => join(sandbox.folder, "home", name);
const temporary = (): Record<string, string> => ({
  TMPDIR: join(sandbox.folder, "tmp"),
  TEMP: join(sandbox.folder, "tmp"),
});
const doctor = (...words: string[]): ReturnType<CliSandbox["doomloop"]> =>
  sandbox.doomloop(["doctor", ...words], temporary());

it("shows that the wired commands speak and refuse, how long they take, and leaves nothing behind", async () => {
  await sandbox.doomloop(["init", "codex", "--unattended", "--yes"]);
  const before = readdirSync(inHome(".local/state/doomloop"));
  const { code, stdout } = await sandbox.spawned(["doctor"], temporary());

  expect(stdout).toMatch(/nudge +at call 3 of a loop: "\[doomloop\]/);
  expect(stdout).toMatch(/block +at call 10: "\[doomloop\] Not run:/);
  expect(stdout).toMatch(/time +\d+ ms \(worst \d+ ms\) an event/);
  expect(stdout).toContain("Resident guard ");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("runs none of these hooks until you trust them");
  // Until somebody trusts them, Codex runs none of them.
  expect(code).toBe(1);
  expect(readdirSync(join(sandbox.folder, "tmp"))).toEqual([]);
  expect(readdirSync(inHome(".local/state/doomloop"))).toEqual(["run", ...before]);
  expect(readdirSync(inHome(".local/state/doomloop/run"))).toEqual([]);
});

it("asks a person where the agent can, refuses nothing, and tells of the plugin beside it", async () => {
  sandbox.write("home/.claude/settings.json", '{ "enabledPlugins": { "doomloop@doomloop": true } }');
  expect((await doctor()).stderr).toContain("The plugin of Claude Code is on");
  await sandbox.doomloop(["init", "claude-code", "--yes"]);
  const { code, stdout } = await doctor("claude-code");

  expect(stdout).toMatch(/plugin +The plugin is on as well/);

  expect(stdout).toMatch(
    /question +at call \d+: you would be asked, in a terminal and in the modes default, acceptEdits/,
  );
  expect(stdout).toMatch(/block +never while attended/);
  expect(code).toBe(0);
});

it("tells of events that came in a form which the hook does not know, beside the loop that it sees", async () => {
  await sandbox.doomloop(["init", "claude-code", "codex", "--yes"]);
  const events = { "claude-code": { unreadable: { count: 12, at: Date.now() } } };
  writeFileSync(inHome(".local/state/doomloop/events.json"), JSON.stringify(events));
  const { code, stdout } = await sandbox.doomloop(["doctor"], { ...temporary(), COLUMNS: "80" });

  expect(stdout.split("\n").filter((line) => line.startsWith("  unread"))).toEqual([
    "  unread   12 events, the latest just now. Another program may run the hook.",
  ]);
  expect(stdout).toMatch(/nudge +at call 3 of a loop/);
  expect(stdout.indexOf("  unread")).toBeLessThan(stdout.indexOf("Codex"));
  const claude = await sandbox.doomloop(["doctor", "claude-code"], temporary());
  expect(claude.code).toBe(0);
  expect(code).toBe(1);
});

it("prints what it found as one JSON object for each agent, and nothing else", async () => {
  await sandbox.doomloop(["init", "claude-code", "codex", "--yes"]);
  const unreadable = { count: 12, at: Date.now() };
  const events = JSON.stringify({ "claude-code": { unreadable } });
  writeFileSync(inHome(".local/state/doomloop/events.json"), events);
  await sandbox.doomloop(["pause"]);
  const { code, stdout, stderr } = await doctor("--json");
  const found = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

  expect(found).toMatchObject([
    { agent: "claude-code", trial: { nudge: { call: 3 } }, faults: [], unreadable },
    { agent: "codex", trust: { isFault: true } },
  ]);
  expect(found[1].unreadable).toBeUndefined();
  expect(stderr).toContain("Hooks are paused");
  expect(code).toBe(1);
});

it.each([
  ["on", 'enabled = true\n[plugins."other@doomloop"]\nenabled = false\n'],
  ["off", 'enabled = false\n[plugins."other@doomloop"]\nenabled = true\n'],
])("knows a plugin of Codex that is %s", async (state, table) => {
  sandbox.write("home/.codex/config.toml", `[plugins."doomloop@doomloop"]\n${table}`);
  const { stderr } = await doctor();

  expect(stderr.includes("The plugin of Codex is on")).toBe(state === "on");
});

it.skipIf(process.platform === "win32")("runs the programs of Cline as they are", async () => {
  await sandbox.doomloop(["init", "cline", "--yes"]);
  expect((await doctor()).code).toBe(0);
  // Nobody is asked: the resident would outlive the test.
  const env = { PATH: process.env.PATH, HOME: inHome(""), DOOMLOOP: "off" };
  const place = { cwd: sandbox.folder, env, input: "{}" };
  expect(await spawnCommand(inHome(".cline/hooks/PreToolUse"), [], place)).toEqual({
    code: 0,
    stdout: "{}\n",
    stderr: "",
  });

  chmodSync(inHome(".cline/hooks/PreToolUse"), 0o600);
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toContain("the hook does not run");
});

it("loads the plugin for opencode from the very file that opencode loads", async () => {
  await sandbox.doomloop(["init", "opencode", "--unattended", "--yes"]);
  const { code, stdout } = await doctor();

  expect(stdout).toMatch(/nudge +at call \d+ of a loop: "\[doomloop\]/);
  expect(stdout).toMatch(/block +at call \d+: "\[doomloop\] Not run:/);
  expect(stdout).toMatch(/time +\d+ ms \(worst \d+ ms\) an event/);
  expect(code).toBe(0);

  await sandbox.doomloop(["init", "opencode", "--attended", "--yes"]);
  expect((await doctor()).stdout).toMatch(/block +never while attended/);
});

it("tells of a plugin for opencode that loads nothing, and does not load another", async () => {
  await sandbox.doomloop(["init", "opencode", "--yes"]);
  const module = inHome(".config/opencode/plugins/doomloop.js");
  const text = readFileSync(module, "utf8");
  const moved = text.replace("/agents/opencode/", "/agents/gone/");
  writeFileSync(module, moved);
  expect((await doctor()).stdout).toContain("is not as init left it");

  const { doomloop } = (await import(pathToFileURL(module).href)) as { doomloop(input: object): Promise<object> };
  expect(await doomloop({})).toEqual({});
});

it("says when an agent runs no hooks at all, when a file is gone, and when nothing is wired", async () => {
  expect(await doctor()).toMatchObject({ code: 1, stdout: "" });
  await sandbox.doomloop(["init", "gemini-cli", "--yes"]);
  const settings = inHome(".gemini/settings.json");
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace('"hooks": {', '"hooksConfig": { "enabled": false },\n"hooks": {'),
  );
  const { code, stdout } = await doctor();
  expect(stdout).toContain("hooksConfig.enabled is false");
  expect(code).toBe(1);

  writeFileSync(settings, "{}");
  expect((await doctor()).stdout).toContain("is not as init left it");
});

it.skipIf(process.platform === "win32")(
  "looks at the state folder that hooks use, not only at one of its own",
  async () => {
    await sandbox.doomloop(["init", "codex", "--yes"]);
    mkdirSync(inHome(".local/state/doomloop/sessions"));
    chmodSync(inHome(".local/state/doomloop/sessions"), 0o777);
    const { code, stdout } = await doctor();

    expect(stdout.replaceAll(/\s+/g, " ")).toContain("sessions can be changed by others; chmod 700");
    expect(code).toBe(1);
  },
);

it("says that Claude Code loads no settings with comments, as init does", async () => {
  sandbox.write("home/.claude/settings.json", '{\n  // mine\n  "model": "opus"\n}\n');
  for (const way of ["--dry-run", "--yes"]) {
    const { code, stderr } = await sandbox.doomloop(["init", "claude-code", way]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("Claude Code does not load settings with comments");
    expect(code).toBe(1);
  }

  const found = await doctor();
  expect(found.stdout.replaceAll(/\s+/g, " ")).toContain("Claude Code does not load settings with comments");
  expect(found.code).toBe(1);
});

it("finds hooks that are not noted, and still runs nothing but what init writes", async () => {
  await sandbox.doomloop(["init", "codex", "--unattended", "--yes"]);
  rmSync(inHome(".local/state/doomloop"), { recursive: true });
  const { code, stdout } = await doctor();
  expect(stdout).toMatch(/block +at call \d+/);
  expect(code).toBe(1);

  const hooks = inHome(".codex/hooks.json");
  const canary = join(sandbox.folder, "canary");
  writeFileSync(hooks, readFileSync(hooks, "utf8").replaceAll('"command": "', `"command": "touch ${canary};`));
  const foreign = await doctor();
  expect(foreign.stdout).toContain("is not as init left it");
  expect(foreign.code).toBe(1);
  expect(existsSync(canary)).toBe(false);
});

it("takes hooks of Codex for trusted once its settings name them", async () => {
  await sandbox.doomloop(["init", "codex", "--unattended", "--yes"]);
  sandbox.write(
    "home/.codex/config.toml",
    `[hooks.state."${inHome(".codex/hooks.json")}:PreToolUse:0"]\ntrusted = true\n`,
  );

  expect((await doctor()).code).toBe(0);
});

it("says that hooks are off although they work: paused, off in the project, or off in the shell", async () => {
  await sandbox.doomloop(["init", "qwen-code", "--yes"]);
  const on = await doctor();
  expect(on.stdout).toMatch(/nudge +at call 3 of a loop: "\[doomloop\] This exact `Bash` call/);
  expect(on.code).toBe(0);

  await sandbox.doomloop(["pause"]);
  await sandbox.doomloop(["mode", "off"]);
  const { code, stdout } = await doctor();
  expect(stdout).toContain("Hooks are paused: they say nothing. To turn them on: doomloop resume");
  expect(stdout).toContain("Hooks are off in this project. To turn them on: doomloop mode auto");
  expect(code).toBe(1);
});

it.skipIf(process.platform === "win32")(
  "says that the Node which the hooks start is gone, and starts none itself",
  async () => {
    const node = join(sandbox.folder, "node");
    copyFileSync(process.execPath, node);
    const main = resolve(import.meta.dirname, "../main.ts");
    const env = { HOME: inHome(""), PATH: process.env.PATH };
    await spawnCommand(node, [main, "init", "claude-code", "--yes"], { cwd: sandbox.folder, env });
    rmSync(node);
    const { code, stdout } = await sandbox.spawned(["doctor"], temporary());

    expect(stdout).toMatch(/nudge +none/);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`the hook needs ${node}, which is gone or does not run`);
    expect(code).toBe(1);
  },
);

it.skipIf(process.platform === "win32")("says that the script which the hooks run is gone", async () => {
  await sandbox.doomloop(["init", "claude-code", "--yes"]);
  const state = inHome(".local/state/doomloop");
  const script = join(sandbox.folder, "gone/agents/hook-client/hook.sh");
  // As if another copy of the package had wired it.
  for (const file of [
    inHome(".claude/settings.json"),
    ...readdirSync(join(state, "wired")).map((name) => join(state, "wired", name)),
  ])
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/[^ "]+\/hook\.sh/g, script));
  const { code, stdout } = await doctor();

  expect(stdout.replaceAll(/\s+/g, " ")).toContain(`the hook needs ${script}, which is gone; doomloop init repairs it`);
  expect(code).toBe(1);
});

it("says that the state folder belongs to somebody else, without a stack trace", async (context) => {
  const user = { uid: 54_321, gid: 54_321 };
  const main = resolve(import.meta.dirname, "../main.ts");
  if (process.getuid?.() !== 0 || spawnSync("cat", [main], user).status !== 0) context.skip("no such user can be had");
  const node = join(sandbox.folder, "node");
  copyFileSync(process.execPath, node);
  const env = { HOME: inHome(""), PATH: process.env.PATH, ...temporary() };
  spawnSync(node, [main, "init", "claude-code", "--yes"], { env });
  mkdirSync(inHome(".local/state/doomloop/run"), { mode: 0o700 });
  for (const path of ["", "home", "home/.claude", "home/.local", "home/.local/state", "tmp"])
    chmodSync(join(sandbox.folder, path), path === "tmp" ? 0o777 : 0o755);
  chmodSync(inHome(".claude/settings.json"), 0o644);
  const { stdout, stderr, status } = spawnSync(node, [main, "doctor"], { ...user, cwd: "/", env, encoding: "utf8" });

  expect(stderr).toBe("");
  expect(stdout).toMatch(/belongs\s+to\s+somebody\s+else/);
  expect(status).toBe(1);
});

it.skipIf(process.platform === "win32")("says why the resident guard does not start", async () => {
  await sandbox.doomloop(["init", "claude-code", "--unattended", "--start-over", "--yes"]);
  mkdirSync(inHome(".local/state/doomloop/run/socket"), { recursive: true, mode: 0o700 });
  const { code, stdout } = await sandbox.spawned(["doctor"], temporary());

  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/the resident guard does not start: .*(?:EISDIR|directory)/);
  expect(code).toBe(1);
});

it("asks for HOME where the system knows no home folder, without a stack trace", async (context) => {
  const user = { uid: 54_321, gid: 54_321 };
  const main = resolve(import.meta.dirname, "../main.ts");
  if (process.getuid?.() !== 0 || spawnSync("cat", [main], user).status !== 0) context.skip("no such user can be had");
  chmodSync(sandbox.folder, 0o755);
  // The one that runs this may be in a folder of somebody else.
  const node = join(sandbox.folder, "node");
  copyFileSync(process.execPath, node);
  const { status, stderr } = spawnSync(node, [main, "status"], { ...user, cwd: "/", env: {}, encoding: "utf8" });

  expect(stderr).toMatch(/^doomloop: HOME is not set.*\n$/);
  expect(status).toBe(2);
});
