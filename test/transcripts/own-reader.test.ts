import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { reader } from "../../examples/own-reader/my-reader.ts";
import { detectReader } from "../../packages/doomloop/src/scan/detect-reader.ts";
import { readers } from "../../packages/doomloop/src/scan/readers.ts";
import { itemsOf } from "./read-items.ts";

const folder = mkdtempSync(join(tmpdir(), "own-reader-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("reads with the reader that the documentation shows", async () => {
  const path = join(folder, "runs.jsonl");
  writeFileSync(path, '{"run":"a","tool":"ls","args":{},"output":"x"}\nnull\n{"run":"b","tool":"ls"}\n');
  const { order, events, skipped, faults } = await itemsOf(path, reader);

  expect(detectReader(path, readFileSync(path, "utf8"), [reader, ...readers])).toBe(reader);
  expect(events.map(({ run, event }) => `${run} ${event.type}`)).toEqual(["a call", "a result", "b call", "b result"]);
  expect(order.filter(({ kind }) => kind === "end").map(({ run }) => run)).toEqual(["a", "b"]);
  expect({ skipped, faults }).toEqual({ skipped: { malformed: 1, tooLong: 0 }, faults: 0 });
});
