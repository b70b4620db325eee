import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliSandbox, claudeSession, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { folderRules } from "../../agents/hook/folder-rules.ts";
import { appendToLog } from "../../agents/hook/intervention-log.ts";
import { stateFolder } from "../../system/state-folder.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
});
afterEach(() => sandbox.remove());

const allow = (...words: string[]): ReturnType<CliSandbox["doomloop"]> => sandbox.doomloop(["allow", ...words]);
const state = (): string => stateFolder({ env: {}, platform: process.platform, home: join(sandbox.folder, "home") });
/** What a hook of an agent that works in the folder makes of it. */
function rules(folder = sandbox.folder): ReturnType<typeof folderRules> {
  return folderRules(state(), realpathSync(folder));
}
/** A hook speaks in the project. */
function speak(at: number = Date.now(), tool = "status"): void {
  const folder = realpathSync(sandbox.folder);
  appendToLog(state(), { at, host: "codex", session: "s1", folder, said: "words", kind: "repeated-call", tool });
}

it("tells the hooks to ignore the latest loop", async () => {
  const before = Date.now();
  speak();

  expect((await allow()).stderr).toContain("The latest loop in this project is ignored");
  expect(rules().allowedAt).toBeGreaterThanOrEqual(before);
  expect((await allow("--list")).stdout).toContain("The latest loop was allowed");
});

it("treats tools differently, switches hooks off, and takes both back", async () => {
  await allow("--tool", "Bash", "--tool", "mcp__ci__status");
  await allow("--tool", "wait", "--as", "poll");
  await allow("--project");
  expect(rules()).toMatchObject({ mode: "off", tools: { Bash: "ignore", mcp__ci__status: "ignore", wait: "poll" } });

  await allow("--undo", "--tool", "Bash", "--tool", "wait");
  await allow("--undo", "--project");
  expect(rules()).toEqual({ mode: undefined, tools: { mcp__ci__status: "ignore" }, allowedAt: undefined });

  await allow("--undo");
  expect((await allow("--list")).stdout).toMatch(/^No exceptions in /);
});

it("holds in the whole project, wherever in it somebody types it or an agent works", async () => {
  mkdirSync(join(sandbox.folder, ".git"));
  mkdirSync(join(sandbox.folder, "src/deep"), { recursive: true });
  await sandbox.doomloop(["allow", "--tool", "Bash"], {}, join(sandbox.folder, "src"));

  for (const folder of ["", "src", "src/deep"])
    expect(rules(join(sandbox.folder, folder)).tools).toEqual({ Bash: "ignore" });
});

it("holds even where the log knows nothing, and says so", async () => {
  const before = Date.now();
  speak(before - 20 * 86_400_000);
  expect(await allow()).toMatchObject({ code: 0, stderr: expect.stringContaining("The log has nothing about ") });
  expect(rules().allowedAt).toBeGreaterThanOrEqual(before);
  // Nobody knows which loop it was.
  expect((await sandbox.reportOf([])).hooks).toMatchObject({ words: 1, allowed: 0 });
});

it("proposes a rule after the third time for one tool, and applies none by itself", async () => {
  const said: string[] = [];
  for (let at = 0; at < 3; at++) {
    speak();
    said.push((await allow()).stderr.replaceAll(/\s+/g, " "));
  }

  expect(said.map((text) => text.includes("You have dismissed 3 loops of status here"))).toEqual([false, false, true]);
  expect(said[2]).toContain("To apply it: doomloop allow --tool status --as poll");
  expect(rules().tools).toEqual({});

  await allow("--tool", "status", "--as", "poll");
  expect((await sandbox.doomloop(["status"])).stdout).toContain("status: its calls are treated as polling");
  speak();
  expect((await allow()).stderr).not.toContain("You have dismissed");
});

it("takes no shell for a tool that polls, and warns who does", async () => {
  for (let at = 0; at < 2; at++) {
    speak(Date.now(), "Bash");
    await allow();
  }
  speak(Date.now(), "Bash");
  expect((await allow()).stderr).toContain("doomloop allow --tool Bash --as patience");

  const warned = async (...words: string[]) => (await allow("--tool", ...words)).stderr.includes("runs every command");
  expect(await warned("Bash")).toBe(true);
  expect(await warned("exec_command", "--as", "poll")).toBe(true);
  expect(await warned("Bash", "--as", "patience")).toBe(false);
  expect(await warned("Bash", "--undo")).toBe(false);
  expect(await warned("Read")).toBe(false);
});

it("proposes a rule only once", async () => {
  const said: boolean[] = [];
  for (let at = 0; at < 6; at++) {
    speak();
    said.push((await allow()).stderr.includes("You have dismissed"));
  }

  expect(said).toEqual([false, false, true, false, false, false]);
});

it("says so where there is nothing to take back", async () => {
  const undone = async (...words: string[]) => (await allow("--undo", ...words)).stderr.replaceAll(/\s+/g, " ");

  expect(await undone()).toMatch(/^Nothing was allowed in .*, so there is nothing to undo\. $/);
  await allow("--tool", "Bash");
  expect(await undone("--tool", "Read")).toContain("There is no rule for Read in ");
  expect(await undone("--project")).toContain("Hooks were not turned off in ");
  expect(rules().tools).toEqual({ Bash: "ignore" });
  expect(await undone("--tool", "Bash")).toBe("Calls of Bash count again in this project. ");
});

it("is counted, and told by a scan of the machine and by no other", async () => {
  speak();
  await allow();
  await allow("--tool", "Bash");
  await allow("--undo");
  const transcript = sandbox.write("home/.claude/projects/-api/claude-1.jsonl", claudeSession(Date.now() - 60_000));

  expect((await sandbox.doomloop(["scan"])).stdout).toContain("Hooks acted once. You dismissed 1 loop.");
  expect((await sandbox.reportOf([])).hooks).toMatchObject({ words: 1, allowed: 1 });
  expect((await sandbox.reportOf([transcript])).hooks).toBe(undefined);
  expect((await sandbox.reportOf(["--project", "api"])).hooks).toBe(undefined);
  expect((await sandbox.reportOf(["--until", "2020-01-01"])).hooks).toBe(undefined);
});

it("refuses a tool without a name", async () => {
  expect((await allow("--tool", "")).code).toBe(2);
});
