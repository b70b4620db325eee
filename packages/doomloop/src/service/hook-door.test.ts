import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDoor, type TestDoor } from "../../../../test/hook-door.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { readLog } from "../agents/hook/intervention-log.ts";
import { HOOKED_AGENTS } from "../agents/index.ts";
import { createWorkspace } from "../workspace/index.ts";
import { workspaceState } from "../workspace/open-workspace.ts";

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
  fc.constantFrom(..."../../precious /etc/passwd .. .  con a\0b a/b\\c __proto__ constructor 🙂".split(" ")),
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
const fields =
  "session_id sessionId taskId agent_id transcript_path cwd permission_mode turn_id model tool_name toolName tool_input toolArgs tool_use_id tool_call_id tool_response toolResult prompt error last_assistant_message timestamp";
const told = fc.record(
  {
    ...Object.fromEntries(fields.split(" ").map((name) => [name, anything])),
    hook_event_name: fc.oneof(events, anything),
    hookName: fc.oneof(events, anything),
    tool_call: call,
    tool_result: call,
    tool_calls: fc.oneof(fc.array(call, { maxLength: 4 }), anything),
    stop_hook_active: fc.boolean(),
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
      expect(path).toMatch(/^(?:sessions|events\.json$|log-\d{4}-\d{2}\.jsonl$)/);
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

it("tells a run to start over, leaves its files alone, and notes the latest checkpoint", async () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-second-")));
  const own = join(project, "state");
  const folder = join(project, "work");
  mkdirSync(folder);
  writeFileSync(join(folder, "parser.ts"), "before\n");
  const { id } = await createWorkspace({ root: folder, stateDirectory: workspaceState(own, folder) }).checkpoint();
  writeFileSync(join(folder, "parser.ts"), "worse\n");
  let now = Date.now();
  const { tell, faults } = openDoor(own, () => (now += 2_000));
  const said: string[] = [];
  const ask = async (event: string, more: object): Promise<string> => {
    const base = { session_id: "s", transcript_path: "/t.jsonl", cwd: folder, hook_event_name: event };
    const answer = await tell("hook/claude-code?mode=unattended&start-over=1", { ...base, ...more });
    if (answer !== "") said.push(answer);
    return answer;
  };
  await ask("UserPromptSubmit", { prompt: "Fix it." });
  for (let at = 0; at < 50 && !said.join("").includes("stopReason"); at++) {
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `t${at}` };
    if (!(await ask("PreToolUse", call)).includes("deny"))
      await ask("PostToolUseFailure", { ...call, error: "1 failed" });
    await ask("PostToolBatch", { tool_calls: [{ ...call, tool_response: "1 failed" }] });
  }
  const log = readLog(own);

  expect(faults).toEqual([]);
  expect(log.map((entry) => entry.said)).toContain("refusal");
  expect(log.filter((entry) => entry.said === "start-over" || entry.said === "end")).toMatchObject([
    { said: "start-over", checkpoint: id, words: expect.stringContaining("Start over: you were in a loop.") },
    { said: "end", checkpoint: id },
  ]);
  expect(readFileSync(join(folder, "parser.ts"), "utf8")).toBe("worse\n");
  rmSync(project, { recursive: true });
});
