import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readHookTally } from "../../scan/read-hook-tally.ts";
import { countAllowed, countNudges, MAX_NUDGE_BYTES, nudgeFile } from "./count-nudges.ts";
import type { HandledEvent } from "./handle-hook-event.ts";

const NOW = Date.UTC(2026, 10, 16);
const ALWAYS = { since: undefined, until: undefined };
const WORDS: HandledEvent = { host: "codex", output: {}, answer: "words", nudges: { obeyed: 0, ignored: 0 } };
const NONE = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-nudges-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

it("counts what was said and what came of it, and holds nothing else", () => {
  countNudges(state, WORDS, NOW);
  countNudges(state, { ...WORDS, answer: "refusal", nudges: { obeyed: 0, ignored: 1 } }, NOW);
  countNudges(state, { ...WORDS, output: undefined, answer: "nothing", nudges: { obeyed: 2, ignored: 0 } }, NOW);
  countAllowed(state, NOW);

  expect(readHookTally(state, ALWAYS)).toEqual({ ...NONE, words: 1, refusals: 1, obeyed: 2, ignored: 1, allowed: 1 });
  expect(readFileSync(nudgeFile(state, NOW), "utf8").split("\n")[0]).toBe(
    '{"v":1,"day":"2026-11-16","host":"codex","said":"words","obeyed":0,"ignored":0}',
  );
});

it("does not count what the agent has no ear for, nor silence", () => {
  countNudges(state, { ...WORDS, output: undefined, answer: "end" }, NOW);
  countNudges(state, { ...WORDS, output: undefined, answer: "nothing" }, NOW);

  expect(existsSync(nudgeFile(state, NOW))).toBe(false);
});

it("ends a month's count at its bound", () => {
  countNudges(state, WORDS, NOW);
  truncateSync(nudgeFile(state, NOW), MAX_NUDGE_BYTES);
  countNudges(state, WORDS, NOW);

  expect(statSync(nudgeFile(state, NOW)).size).toBe(MAX_NUDGE_BYTES);
});

it("keeps a year of months, and removes older ones and nothing else", () => {
  const day = 86_400_000;
  const [old, kept, other] = [nudgeFile(state, NOW - 500 * day), nudgeFile(state, NOW - 365 * day), join(state, "a")];
  for (const file of [old, kept, other]) writeFileSync(file, "{}\n");
  countNudges(state, WORDS, NOW);

  expect([old, kept, other].map(existsSync)).toEqual([false, true, true]);
});

it.skipIf(process.platform === "win32")("writes through no link and waits for no pipe", () => {
  const target = join(state, "target");
  writeFileSync(target, "");
  symlinkSync(target, nudgeFile(state, NOW));
  expect(() => countNudges(state, WORDS, NOW)).toThrow();
  expect(readFileSync(target, "utf8")).toBe("");

  rmSync(nudgeFile(state, NOW));
  execFileSync("mkfifo", [nudgeFile(state, NOW)]);
  expect(() => countNudges(state, WORDS, NOW)).toThrow();
});
