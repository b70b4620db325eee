import { appendFileSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliSandbox, claudeSession, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { nudgeFile } from "../../agents/hook/count-nudges.ts";
import { folderRules } from "../../agents/hook/folder-rules.ts";
import { stateFolder } from "../../system/state-folder.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
});
afterEach(() => sandbox.remove());

const allow = (...words: string[]): ReturnType<CliSandbox["doomloop"]> => sandbox.doomloop(["allow", ...words]);
const state = (): string => stateFolder({ env: {}, platform: process.platform, home: join(sandbox.folder, "home") });
/** What a hook of an agent that works in the folder makes of it. */
function rules(): ReturnType<typeof folderRules> {
  return folderRules(state(), realpathSync(sandbox.folder));
}
/** A hook speaks. */
function speak(at: number): void {
  mkdirSync(state(), { recursive: true, mode: 0o700 });
  const day = new Date(at).toISOString().slice(0, 10);
  appendFileSync(nudgeFile(state(), at), `${JSON.stringify({ v: 1, day, host: "codex", said: "words" })}\n`);
}

it("tells the hooks that the latest loop is none", async () => {
  const before = Date.now();

  expect((await allow()).code).toBe(0);
  expect(rules().allowedAt).toBeGreaterThanOrEqual(before);
  expect((await allow("--list")).stdout).toContain("The latest loop was allowed");
});

it("ignores tools, switches hooks off, and takes both back", async () => {
  await allow("--tool", "Bash", "--tool", "mcp__ci__status");
  await allow("--project");
  expect(rules()).toMatchObject({ isOff: true, tools: { Bash: { ignore: true }, mcp__ci__status: { ignore: true } } });

  await allow("--undo", "--tool", "Bash");
  await allow("--undo", "--project");
  expect(rules()).toEqual({ isOff: false, tools: { mcp__ci__status: { ignore: true } }, allowedAt: undefined });

  await allow("--undo");
  expect((await allow("--list")).stdout).toMatch(/^Nothing is allowed in /);
});

it("counts no false alarm where no hook has spoken lately, and says so", async () => {
  expect((await allow()).stderr).toContain("No hook has spoken in the last 7 days");
  expect((await sandbox.reportOf([])).hooks).toBe(undefined);

  speak(Date.now() - 20 * 86_400_000);
  expect((await allow()).stderr).toContain("No hook has spoken in the last 7 days");
  expect((await sandbox.reportOf([])).hooks).toMatchObject({ words: 1, allowed: 0 });

  speak(Date.now());
  expect((await allow()).stderr).toContain("The latest loop in this folder is none");
});

it("is counted, and told by a scan of the machine and by no other", async () => {
  speak(Date.now());
  await allow();
  await allow("--tool", "Bash");
  await allow("--undo");
  const transcript = sandbox.write("home/.claude/projects/-api/claude-1.jsonl", claudeSession(Date.now() - 60_000));

  expect((await sandbox.doomloop(["scan"])).stdout).toContain("Hooks spoke 1 time. 1 was called no loop by a person.");
  expect((await sandbox.reportOf([])).hooks).toMatchObject({ words: 1, allowed: 1 });
  expect((await sandbox.reportOf([transcript])).hooks).toBe(undefined);
  expect((await sandbox.reportOf(["--project", "api"])).hooks).toBe(undefined);
  expect((await sandbox.reportOf(["--until", "2020-01-01"])).hooks).toBe(undefined);
});

it("refuses a tool without a name", async () => {
  expect((await allow("--tool", "")).code).toBe(2);
});

it("is heard by the hook itself", async () => {
  await allow("--project");
  const hook = await sandbox.doomloop(["hook", "--host", "codex", "--no-such-option"]);

  expect(hook).toEqual({ code: 0, stdout: "", stderr: "" });
});
