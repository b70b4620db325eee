import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { makeHostileWorkspace } from "../../../../../test/hostile-workspace.ts";

const LAPS = 5;
let root: string;
let program: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "doomloop-hostile-"));
  await bundleHook(join(root, "program"));
  program = join(root, "program", "main.cjs");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the hook as agents do: in the folder that they work in. */
function hook(folder: string, input: object, before: readonly string[] = []): string {
  const home = `${folder}-home`;
  mkdirSync(home, { recursive: true });
  const [file, ...words] = [...before, process.execPath, program, "--host", "claude-code", "--unattended"];
  const { stdout, status } = spawnSync(file!, words, {
    cwd: folder,
    input: JSON.stringify(input),
    env: { PATH: process.env.PATH, HOME: home, LOCALAPPDATA: home },
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stdout;
}

/** The events of some equal calls in a folder. */
function loopIn(folder: string): object[] {
  const base = { session_id: "session", transcript_path: "a.jsonl", cwd: folder, permission_mode: "default" };
  return Array.from({ length: LAPS }, (_, at) => {
    const call = { tool_name: "Bash", tool_input: { command: "cat notes.md" }, tool_use_id: `call-${at}` };
    return [
      { ...base, hook_event_name: "PreToolUse", ...call },
      { ...base, hook_event_name: "PostToolUse", ...call, tool_response: { stdout: "nothing found", stderr: "" } },
      { ...base, hook_event_name: "PostToolBatch", tool_calls: [{ ...call, tool_response: "nothing found" }] },
    ];
  }).flat();
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "utf8")]),
  );
}

describe("what lies in a repository", () => {
  it("changes nothing of what a hook answers, and is not touched", () => {
    const [plain, hostile] = [join(root, "plain"), join(root, "hostile")];
    for (const folder of [plain, hostile]) mkdirSync(folder);
    makeHostileWorkspace(hostile);
    const before = filesIn(hostile);
    const answers = loopIn(hostile).map((input) => hook(hostile, input));

    expect(answers).toEqual(loopIn(plain).map((input) => hook(plain, input)));
    expect(answers.join("")).toContain('"permissionDecision":"deny"');
    expect(filesIn(hostile)).toEqual(before);
  });

  it("is not even read by a hook", (context) => {
    const log = join(root, "calls");
    if (spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status !== 0) context.skip("strace does not run here");
    const folder = join(root, "traced");
    mkdirSync(folder);
    makeHostileWorkspace(folder);
    hook(folder, loopIn(folder)[0]!, ["strace", "-f", "-y", "-qq", "-e", "trace=%file", "-s", "1000", "-o", log]);
    const calls = readFileSync(log, "utf8").split("\n");

    expect(calls.filter((line) => line.includes("main.cjs")).length).toBeGreaterThan(0);
    // The folder itself may be looked up, and paths of its own are relative: what is asked for must be neither in it nor relative.
    expect(calls.filter((line) => line.includes(`${folder}/`))).toEqual([]);
    expect(calls.filter((line) => /\((?:AT_FDCWD(?:<[^>]*>)?, )?"[^/"]/.test(line))).toEqual([]);
  });

  it("changes nothing of what init writes and doctor finds", async () => {
    const [plain, hostile] = [createCliSandbox(), createCliSandbox()];
    try {
      const outcomes = [];
      for (const sandbox of [plain, hostile]) {
        const folder = join(sandbox.folder, "work");
        mkdirSync(folder);
        if (sandbox === hostile) makeHostileWorkspace(folder);
        const before = filesIn(folder);
        const path = { PATH: [folder, join(folder, "node_modules/.bin"), ".", process.env.PATH].join(delimiter) };
        const init = await sandbox.doomloop(["init", "codex", "--unattended", "--yes"], path, folder);
        const doctor = await sandbox.doomloop(["doctor"], path, folder);
        const written = readFileSync(join(sandbox.folder, "home/.codex/hooks.json"), "utf8");
        expect(doctor.stdout).toMatch(/block +at call 5/);
        expect(filesIn(folder)).toEqual(before);
        expect(existsSync(join(folder, "was-run"))).toBe(false);
        outcomes.push(
          JSON.stringify({ init, doctor, written })
            .replaceAll(sandbox.folder, "SANDBOX")
            .replaceAll(/\d+ ms/g, "TIME"),
        );
      }

      expect(outcomes[1]).toBe(outcomes[0]);
    } finally {
      for (const sandbox of [plain, hostile]) sandbox.remove();
    }
  });
});
