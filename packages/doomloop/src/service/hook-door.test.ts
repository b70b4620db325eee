import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDoor, type TestDoor } from "../../../../test/hook-door.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { HOOKED_AGENTS } from "../agents/index.ts";

const isWindows = process.platform === "win32";
let root: string;
let state: string;
let door: TestDoor;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "doomloop-fuzz-"));
  state = join(root, "home", "doomloop");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(root, "precious"), "precious");
  door = openDoor(state);
});
afterAll(() => rmSync(root, { recursive: true }));

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
const paths = fc.tuple(
  fc.oneof(
    fc.constantFrom(...HOOKED_AGENTS).map(({ name }) => `hook/${name}`),
    fc.constantFrom(...HOOKED_AGENTS).map(({ name }) => `status-line/${name}`),
    fc.constantFrom("hook/", "hook/unknown", "x"),
  ),
  fc.constantFrom("", "?mode=unattended", "?mode=off", "?start-over=1&mode=unattended", "?seen=sdk-cli,0", "?v=9.9.9"),
);

describe("a resident that is told anything", () => {
  it("answers with JSON, a line or nothing, and writes nowhere but where it may", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, paths, async (input, [path, query]) => {
        const text = await door.tell(`${path}${query}`, valueIn(input));

        if (text !== "" && !text.startsWith("doomloop: ")) expect(typeof JSON.parse(text)).toBe("object");
      }),
      { numRuns: Math.ceil(propertyRuns() / 2) },
    );
    expect(door.faults).toEqual([]);
    expect(readdirSync(root).sort()).toEqual(["home", "precious"]);
    expect(statSync(join(root, "precious")).size).toBe("precious".length);
    expect(readdirSync(join(root, "home"))).toEqual(["doomloop"]);
    for (const path of readdirSync(state, { recursive: true, encoding: "utf8" })) {
      expect(path).toMatch(/^(?:sessions|workspaces|events\.json$|log-\d{4}-\d{2}\.jsonl$)/);
      const stats = lstatSync(join(state, path));
      expect(stats.isFile() || stats.isDirectory()).toBe(true);
      if (!isWindows) expect(`${path} ${stats.mode & 0o077}`).toBe(`${path} 0`);
    }
  });
});

/** What a request's body comes to. */
function valueIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
