import { expect, it } from "vitest";
import { withoutFrame } from "./frame.ts";

it.each([
  ["a reminder at the end", "1 file\n\n<system-reminder>\n12,000 of 200,000 tokens\n</system-reminder>", "1 file"],
  ["a reminder in between", "1 file\n<system_reminder>go on</system_reminder>\n2 files", "1 file\n2 files"],
  ["a counter of steps", "Step 7/100\n1 file", "1 file"],
  ["a counter of turns", "[Turn 3 of 50]\n1 file", "1 file"],
  [
    "a header of a process, but not the code with which it ended",
    "Chunk ID: 4f2a11\nWall time: 0.0412 seconds\nProcess exited with code 1\nOriginal token count: 12\nOutput:\n1 file",
    "Process exited with code 1\nOutput:\n1 file",
  ],
])("takes off %s", (_, text, bare) => {
  expect(withoutFrame(text)).toBe(bare);
});

it.each([
  "Wall time is short today.",
  "Wall time: 3 seconds\nand no output",
  "<system-reminder>that never ends",
  "Step 7: open the door",
  "1 file",
  "",
])("leaves %j as it is", (text) => {
  expect(withoutFrame(text)).toBe(text);
});

it("reads long texts in no time", () => {
  const text = "<system-reminder>".repeat(20_000);

  expect(withoutFrame(text)).toBe(text);
});
