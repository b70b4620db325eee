import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { readHead } from "../transcripts/read-head.ts";
import { trace } from "../transcripts/trace/reader.ts";
import { detectReader } from "./detect-reader.ts";
import { readTranscript } from "./read-transcript.ts";
import { readers } from "./readers.ts";

const folder = mkdtempSync(join(tmpdir(), "transcripts-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LINE = '{"run":"a","events":[{"type":"round"}]}\n';

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function eventsOf(path: string, options: Parameters<typeof readTranscript>[3] = {}): Promise<number> {
  let events = 0;
  await readTranscript(path, trace, { session() {}, event: () => void events++, usage() {}, end() {} }, options);
  return events;
}

it("reads a file in many pieces, and reports progress", async () => {
  const text = LINE.repeat(20_000);
  const told: number[] = [];

  expect(await eventsOf(write("many.jsonl", text), { onProgress: (bytes) => void told.push(bytes) })).toBe(20_000);
  expect(told.reduce((sum, bytes) => sum + bytes, 0)).toBe(text.length);
  expect(told.length).toBeGreaterThan(1);
});

it("recognises gzip by its content", async () => {
  const path = write("small.jsonl.gz", gzipSync(LINE.repeat(3)));

  expect(await eventsOf(path)).toBe(3);
  expect(detectReader(path, readHead(path), readers)).toBe(trace);
});

it("stops when the signal aborts", async () => {
  const controller = new AbortController();
  const path = write("long.jsonl", LINE.repeat(40_000));
  const events = await eventsOf(path, { signal: controller.signal, onProgress: () => controller.abort() });

  expect(events).toBeGreaterThan(0);
  expect(events).toBeLessThan(40_000);
});

it("throws if the file does not exist", async () => {
  await expect(eventsOf(join(folder, "nowhere.jsonl"))).rejects.toThrow("ENOENT");
});

it.each([
  { title: "half a gzip head", content: Uint8Array.of(0x1f, 0x8b, 8) },
  { title: "an empty file", content: "" },
])("recognises no agent in $title", ({ content }) => {
  const path = write("odd.jsonl", content);

  expect(detectReader(path, readHead(path), readers)).toBeUndefined();
});

it("asks only readers of files with that extension", () => {
  expect(detectReader("runs.txt", LINE, readers)).toBeUndefined();
  expect(detectReader("RUNS.JSONL", LINE, readers)).toBe(trace);
});
