import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCarriedRecords } from "./subagents.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "claude-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ANSWER = { type: "assistant", message: { role: "assistant", content: [] }, uuid: "u1", timestamp: "later" };

function progress(data: object): Record<string, unknown> {
  return { type: "progress", sessionId: "s", cwd: "/shop", timestamp: "now", parentToolUseID: "toolu_1", data };
}

const carriedIn = (...records: readonly Record<string, unknown>[]) => {
  const carried = createCarriedRecords({ path: join(folder, "s.jsonl"), hasFile: existsSync });
  return records.map((record) => carried.in(record));
};

it("gives the subagent's record as a file of its own would have it", () => {
  expect(carriedIn(progress({ type: "agent_progress", agentId: "a1", message: ANSWER }))).toEqual([
    { ...ANSWER, sessionId: "s", cwd: "/shop", version: undefined, agentId: "a1", isSidechain: true },
  ]);
});

it("names the subagent by its call where it has no name, and the record by its message where it has no type", () => {
  const { type: _, timestamp: __, ...bare } = ANSWER;

  expect(carriedIn(progress({ type: "agent_progress", message: bare }))).toMatchObject([
    { agentId: "toolu_1", type: "assistant", timestamp: "now" },
  ]);
});

it("passes over progress of other kinds, and what it gave before", () => {
  const told = progress({ type: "agent_progress", agentId: "a1", message: ANSWER });
  const records = [progress({ type: "hook_progress", message: ANSWER }), progress({ type: "agent_progress" }), {}];

  expect(carriedIn(told, told, ...records).map((record) => record !== undefined)).toEqual([
    true,
    ...[false, false, false, false],
  ]);
});

it.each(["agent-a1.jsonl", "s/subagents/agent-a1.jsonl"])("leaves a subagent to its own file, %s", (name) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), "{}");

  expect(carriedIn(progress({ type: "agent_progress", agentId: "a1", message: ANSWER }))).toEqual([undefined]);
});
