import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDoor, type TestDoor } from "../../../../../test/hook-door.ts";
import { writeRules } from "./folder-rules.ts";
import { pause } from "./pause.ts";

let state: string;
let door: TestDoor;
let now: number;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-status-"));
  now = Date.now();
  door = openDoor(state, () => now);
});
afterEach(() => {
  expect(door.faults).toEqual([]);
  rmSync(state, { recursive: true });
});

const base = { session_id: "s1", transcript_path: "/t.jsonl", cwd: "/work", permission_mode: "default" };
const tell = (hook_event_name: string, more: object, isUnattended = false): Promise<string> =>
  door.tell(`hook/claude-code${isUnattended ? "?mode=unattended" : ""}`, { ...base, hook_event_name, ...more });

interface Step {
  readonly tool?: string;
  readonly command?: string;
  readonly output?: string;
  readonly isUnattended?: boolean;
}
let at = 0;
async function step({
  tool = "Bash",
  command = "cat notes.md",
  output = "nothing found",
  isUnattended = false,
}: Step = {}) {
  const call = { tool_name: tool, tool_input: { command }, tool_use_id: `t${++at}` };
  const refused = (await tell("PreToolUse", call, isUnattended)) !== "";
  if (!refused) await tell("PostToolUse", { ...call, tool_response: output }, isUnattended);
  await tell("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, isUnattended);
}
const line = (input: unknown = { session_id: "s1", workspace: { current_dir: "/work" } }): Promise<string> =>
  door.tell("status-line/claude-code", input);

describe("the status line", async () => {
  it("is empty before a hook has heard of the session, and for what is no input", async () => {
    expect(await line()).toBe("");
    for (const input of [undefined, 7, {}, { session_id: 7 }, { session_id: "other" }])
      expect(await line(input)).toBe("");
  });

  it("says that it watches, that there is a loop, and that it is over", async () => {
    await step();
    expect(await line()).toBe("doomloop: watching");
    await step();
    await step();
    expect(await line()).toBe("doomloop: loop, 3rd time (Bash)");
    await step();
    expect(await line()).toBe("doomloop: loop, 4th time (Bash)");
    await step({ command: "ls", output: "notes.md" });
    expect(await line()).toBe("doomloop: watching");
  });

  it("is over when the user speaks", async () => {
    for (let count = 0; count < 3; count++) await step();
    await tell("UserPromptSubmit", { prompt: "go on" });
    expect(await line()).toBe("doomloop: watching");
  });

  it("stays while calls are refused, and says when the run was ended", async () => {
    const lines: string[] = [];
    for (let count = 0; count < 20; count++) {
      now += 4_000;
      await step({ isUnattended: true });
      lines.push(await line());
    }

    // Calls are refused from the tenth on.
    expect(lines.slice(2, 19)).toEqual(
      Array(17).fill(expect.stringMatching(/^doomloop: loop, \d+(rd|th) time \(Bash\)$/)),
    );
    expect(lines[19]).toBe("doomloop: stopped a loop (Bash)");
  });

  it("shows no name that could be more than one", async () => {
    const output = "There is nothing in this folder, and there was nothing in it when you looked before, either.";
    for (let count = 0; count < 3; count++) await step({ tool: "\u001b[2Jx", output });
    expect(await line()).toBe("doomloop: loop, 3rd time (one tool)");
  });

  it("says where hooks were told to be silent", async () => {
    writeRules(state, "/work", { mode: "off", tools: {} });
    expect(await line()).toBe("doomloop: off in this project");
  });

  it("says that hooks are paused", async () => {
    pause(state, now + 60_000);
    expect(await line()).toBe("doomloop: paused");
    now += 60_001;
    expect(await line()).toBe("");
  });
});
