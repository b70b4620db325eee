import { expect, it } from "vitest";
import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { claudeCodeReader, trimLine } from "./reader.ts";

transcriptReaderContract(claudeCodeReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});

const HEAD = { parentUuid: "c0f38184-ae70-4a3c-b6bb-5f28a0ba16fd", isSidechain: false };
const TIME = { uuid: "u1", timestamp: "2026-10-01T08:00:00.000Z" };
const LONG = 'a "quoted" line\\n'.repeat(80);

function result(told: unknown, content: unknown = LONG): object {
  const message = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] };
  const rest = { permissionDecision: { decision: "deny" }, sessionId: "s1" };
  return { ...HEAD, type: "user", message, ...TIME, toolUseResult: told, ...rest };
}

it.each([
  { type: "file-history-snapshot", snapshot: { a: 1 } },
  { type: "api-request", message: { type: "user" } },
  { ...HEAD, attachment: { type: "user", text: '},"type":"user"' }, type: "attachment", ...TIME },
  { ...HEAD, parentUuid: null, isSidechain: true, attachment: { type: "a", list: [{}] }, type: "attachment", ...TIME },
])("needs nothing of $type", (record) => {
  expect(trimLine(JSON.stringify(record))).toBe("");
});

it.each([
  { type: "user", message: {} },
  { type: "system", subtype: "init" },
  { type: "assistant", message: {} },
  { ...HEAD, message: { content: [{ input: { toolUseResult: LONG } }] }, type: "assistant", ...TIME },
  { type: "queue-operation", operation: "enqueue", content: "Go on." },
  { ...HEAD, attachment: { type: "queued_command", prompt: "Go on." }, type: "attachment", ...TIME },
  { ...HEAD, attachment: { prompt: "Go on.", type: "queued_command" }, type: "attachment", ...TIME },
  { ...HEAD, attachment: { a: 1 }, type: "user", message: { content: LONG }, ...TIME },
  { ...HEAD, type: "user", message: { content: [{ content: { ...TIME, a: { toolUseResult: LONG } } }] }, ...TIME },
  result("short"),
  { other: LONG },
])("leaves %o as it is", (record) => {
  expect(trimLine(JSON.stringify(record))).toBe(JSON.stringify(record));
});

it.each([
  String.raw`{"type":"us\u0065r","message":{}}`,
  '{"type":"api-request","a":1',
  '{"type":"api-request"',
  "{",
  "",
])("leaves %s as it is", (line) => {
  expect(trimLine(line)).toBe(line);
});

it.each([LONG, { stdout: LONG, nested: [{ toolUseResult: LONG }] }, [LONG, { a: "\\\\" }]])(
  "takes out what Claude Code kept of a result, and nothing else",
  (told) => {
    const { toolUseResult: _, ...rest } = result(told) as Record<string, unknown>;

    expect(JSON.parse(trimLine(JSON.stringify(result(told))))).toEqual(rest);
  },
);
