import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { findReader } from "../scan/read-transcript.ts";
import { readHead, readLineBeginnings } from "./read-head.ts";

const folder = mkdtempSync(join(tmpdir(), "head-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: string | Uint8Array): string {
  const path = join(folder, "session.jsonl");
  writeFileSync(path, content);
  return path;
}

const LONG = "x".repeat(300_000);
const TURN = '{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"Go."}}\n';

it("returns the first bytes, decompressed for gzip", () => {
  expect(readHead(write("one\ntwo\n"))).toBe("one\ntwo\n");
  expect(readHead(write(LONG)).length).toBe(4096);
  expect(readHead(write(gzipSync("one\ntwo\n")))).toBe("one\ntwo\n");
});

it("returns the beginnings of lines, however long they are", () => {
  const [first, second, third, ...rest] = readLineBeginnings(write(`${LONG}\nb\n\u00e4${LONG}`)).split("\n");

  expect(first).toBe("x".repeat(1024));
  expect(second).toBe("b");
  expect(third).toBe(`\u00e4${"x".repeat(1022)}`);
  expect(rest).toEqual([]);
  expect(readLineBeginnings(write(""))).toBe("");
  expect(readLineBeginnings(write(gzipSync(`${LONG}\nb\n`)))).toBe(`${"x".repeat(1024)}\nb\n`);
});

it.each([
  ["a snapshot", { type: "file-history-snapshot", messageId: "m", snapshot: { trackedFileBackups: { [LONG]: {} } } }],
  ["a summary", { type: "summary", summary: LONG, leafUuid: "u" }],
  ["a record that nobody knows", { kind: "state", text: LONG }],
])("recognises a session of Claude Code after %s that is longer than the head", (_, record) => {
  expect(findReader(write(`${JSON.stringify(record)}\n${TURN}`))?.agent).toBe("claude-code");
});

it("recognises a session with only a name and a mode", () => {
  const path = write('{"type":"custom-title","customTitle":"a","sessionId":"s"}\n{"type":"mode","sessionId":"s"}\n');

  expect(findReader(path)?.agent).toBe("claude-code");
});

it("recognises a rollout with an incomplete first line", () => {
  const item = '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message"}}\n';

  expect(findReader(write(`{"timestamp":"2026-01-01T00:00:00Z","text":"${LONG}\n${item}`))?.agent).toBe("codex");
});
