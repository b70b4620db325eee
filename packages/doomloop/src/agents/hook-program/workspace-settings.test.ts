import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { makeHostileWorkspace } from "../../../../../test/hostile-workspace.ts";
import { PATIENT } from "../../../../../test/run-hook.ts";

/** The tenth is refused, if each takes some seconds. */
const LAPS = 10;
const LAP_MS = 5_000;
const BEGIN = Date.now();
let root: string;
let program: string;
let clock: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "doomloop-hostile-"));
  await bundleHook(join(root, "program"));
  program = join(root, "program", "main.cjs");
  clock = join(root, "clock.cjs");
  writeFileSync(clock, "Date.now = () => Number(process.env.NOW);\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the hook as agents do, in the folder that they work in, with a Node that may have words of its own around it. */
function hook(folder: string, input: object, lap: number, node: readonly string[]): string {
  const home = `${folder}-home`;
  mkdirSync(home, { recursive: true });
  const [file, ...words] = [...node, program, "--host", "claude-code", "--unattended"];
  const { stdout, status } = spawnSync(file!, words, {
    cwd: folder,
    input: JSON.stringify(input),
    env: { PATH: process.env.PATH, HOME: home, LOCALAPPDATA: home, NOW: String(BEGIN + lap * LAP_MS) },
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stdout;
}

/** The events of some equal calls in a folder, lap by lap. */
function loopIn(folder: string): object[][] {
  const base = { session_id: "session", transcript_path: "a.jsonl", cwd: folder, permission_mode: "default" };
  return Array.from({ length: LAPS }, (_, at) => {
    const call = { tool_name: "Bash", tool_input: { command: "cat notes.md" }, tool_use_id: `call-${at}` };
    return [
      { ...base, hook_event_name: "PreToolUse", ...call },
      { ...base, hook_event_name: "PostToolUse", ...call, tool_response: { stdout: "nothing found", stderr: "" } },
      { ...base, hook_event_name: "PostToolBatch", tool_calls: [{ ...call, tool_response: "nothing found" }] },
    ];
  });
}

function answersIn(folder: string): string[] {
  const node = [process.execPath, ...PATIENT, "--require", clock];
  return loopIn(folder).flatMap((events, lap) => events.map((input) => hook(folder, input, lap, node)));
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
    const answers = answersIn(hostile);

    expect(answers).toEqual(answersIn(plain));
    expect(answers.join("")).toContain('"permissionDecision":"deny"');
    expect(filesIn(hostile)).toEqual(before);
  });

  it("is not even read by a hook", (context) => {
    const log = join(root, "calls");
    if (spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status !== 0) context.skip("strace does not run here");
    const folder = join(root, "traced");
    mkdirSync(folder);
    makeHostileWorkspace(folder);
    const strace = ["strace", "-f", "-y", "-qq", "-e", "trace=%file", "-s", "1000", "-o", log];
    hook(folder, loopIn(folder)[0]![0]!, 0, [...strace, process.execPath]);
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
        expect(doctor.stdout).toMatch(/block +at call 10/);
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
