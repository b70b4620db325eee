import { spawn } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { countMissedEvents } from "../hook/missed-events.ts";
import { HOOKED_AGENTS } from "../index.ts";
import { runHookProgram } from "./run-hook-program.ts";

const isWindows = process.platform === "win32";
/** A process each. */
const PROCESSES = Math.min(500, Math.ceil(propertyRuns() / 1000));
let root: string;
let state: string;
let folder: string;
let main: string;

beforeAll(async () => {
  // As it is shipped: a process that reads the source takes ten times as long.
  folder = mkdtempSync(join(tmpdir(), "doomloop-hook-"));
  await bundleHook(folder);
  main = join(folder, "main.cjs");
  root = mkdtempSync(join(tmpdir(), "doomloop-fuzz-"));
  state = join(root, "home", "doomloop");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(root, "precious"), "precious");
});
afterAll(() => {
  for (const path of [root, folder]) rmSync(path, { recursive: true });
});

/** Ids that would lead elsewhere, or be too much, were they believed. */
const names = fc.oneof(
  fc.constantFrom(
    "../../precious",
    "/etc/passwd",
    "..",
    ".",
    "",
    "con",
    "a\0b",
    "a/b\\c",
    "__proto__",
    "constructor",
    "🙂",
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.nat(20_000).map((length) => "x".repeat(length)),
);
const anything = fc.oneof({ weight: 3, arbitrary: names }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) });
const events = fc.constantFrom(
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "SubagentStart", "Stop"],
  ...["PostCompact", "BeforeTool", "AfterTool", "BeforeAgent", "tool_call", "tool_result", "prompt_submit"],
);
const call = fc.record(
  { id: anything, name: anything, input: anything, output: anything, error: anything },
  { requiredKeys: [] },
);
/** What hooks are told, with something else in any place. */
const told = fc.record(
  {
    hook_event_name: fc.oneof(events, anything),
    hookName: fc.oneof(events, anything),
    session_id: anything,
    sessionId: anything,
    taskId: anything,
    agent_id: anything,
    transcript_path: anything,
    cwd: anything,
    permission_mode: anything,
    turn_id: anything,
    model: anything,
    tool_name: anything,
    toolName: anything,
    tool_input: anything,
    toolArgs: anything,
    tool_use_id: anything,
    tool_call_id: anything,
    tool_response: anything,
    toolResult: anything,
    tool_call: call,
    tool_result: call,
    tool_calls: fc.oneof(fc.array(call, { maxLength: 4 }), anything),
    prompt: anything,
    error: anything,
    stop_hook_active: fc.boolean(),
    last_assistant_message: anything,
    timestamp: anything,
  },
  { requiredKeys: [] },
);
/** JSON, or what is left of it when it is cut or a byte of it is changed. */
const inputs = fc.oneof(
  { weight: 6, arbitrary: told.map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 2,
    arbitrary: fc.tuple(told, fc.nat(), fc.nat(255), fc.boolean()).map(([value, at, byte, isCut]) => {
      const bytes = Buffer.from(JSON.stringify(value));
      const place = at % (bytes.length + 1);
      if (isCut) return bytes.subarray(0, place);
      bytes[place] = byte;
      return bytes;
    }),
  },
);
const words = fc.tuple(
  fc.oneof(
    fc.constantFrom(...HOOKED_AGENTS).map(({ name }) => ["--host", name]),
    fc.constantFrom([], ["--host"], ["--host", "../x"]),
  ),
  fc.constantFrom([], ["--unattended"], ["--unknown"]),
);

describe("a hook that is told anything", () => {
  it("answers with JSON or nothing, and writes nowhere but where it may", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, words, async (input, [host, mode]) => {
        const text = await runHookProgram({
          words: [...host, ...mode],
          input: once(input),
          state,
          remainingMs: () => 1000,
        });

        if (text !== "") expect(typeof JSON.parse(text)).toBe("object");
      }),
      { numRuns: Math.ceil(propertyRuns() / 5) },
    );
    expectOrder();
  });

  it("ends well as a process, at once", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, words, async (input, [host, mode]) => {
        const { code, stdout, stderr } = await run([...host, ...mode], input);

        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        if (stdout !== "") expect(typeof JSON.parse(stdout)).toBe("object");
      }),
      { numRuns: PROCESSES },
    );
    expectOrder();
  });

  it("ends by itself where nobody ends its input", async () => {
    const before = countMissedEvents(join(state, "runs"));
    const { code, stdout } = await run([], undefined);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(countMissedEvents(join(state, "runs"))).toBe(before + 1);
  });
});

/** Nothing was touched outside of the state folder, and nothing in it can be read by others. */
function expectOrder(): void {
  expect(readdirSync(root).sort()).toEqual(["home", "precious"]);
  expect(statSync(join(root, "precious")).size).toBe("precious".length);
  expect(readdirSync(join(root, "home"))).toEqual(["doomloop"]);
  for (const path of readdirSync(state, { recursive: true, encoding: "utf8" })) {
    expect(path).toMatch(/^(?:runs|compiled|nudges-\d{4}-\d{2}\.jsonl$)/);
    const stats = lstatSync(join(state, path));
    expect(stats.isFile() || stats.isDirectory()).toBe(true);
    if (!isWindows) expect(`${path} ${stats.mode & 0o077}`).toBe(`${path} 0`);
  }
}

function run(args: readonly string[], input: Uint8Array | undefined) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: join(root, "home"), XDG_STATE_HOME: join(root, "home"), LOCALAPPDATA: root },
    stdio: "pipe",
  });
  const outcome = { stdout: "", stderr: "" };
  child.stdout.on("data", (piece) => (outcome.stdout += piece));
  child.stderr.on("data", (piece) => (outcome.stderr += piece));
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.end(input);
  return new Promise<typeof outcome & { code: number | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...outcome, code }));
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
