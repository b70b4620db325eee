import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readHookTally } from "./read-hook-tally.ts";

const ALWAYS = { since: undefined, until: undefined };
const NONE = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-tally-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const line = (day: string, more: object = {}): string => JSON.stringify({ v: 1, day, said: "words", ...more });
const write = (month: string, ...lines: string[]): void =>
  writeFileSync(join(state, `nudges-${month}.jsonl`), `${lines.join("\n")}\n`);

it("is undefined if no hook has counted anything", () => {
  expect(readHookTally(join(state, "none"), ALWAYS)).toBe(undefined);
  expect(readHookTally(state, ALWAYS)).toBe(undefined);
});

it("adds up the days of a range across months", () => {
  write("2026-10", line("2026-10-30"), line("2026-10-31", { obeyed: 2 }));
  write("2026-11", line("2026-11-01", { said: "refusal", ignored: 1 }), line("2026-11-02"));
  const range = { since: Date.UTC(2026, 9, 31, 12), until: Date.UTC(2026, 10, 1, 12) };

  expect(readHookTally(state, range)).toEqual({ ...NONE, words: 1, refusals: 1, obeyed: 2, ignored: 1 });
  expect(readHookTally(state, { ...ALWAYS, since: Date.UTC(2027, 0, 1) })).toBe(undefined);
});

it("ignores foreign lines, other versions, and numbers that no hook writes", () => {
  const foreign = ["", "{", "null", "[1]", `{"v":2,"day":"2026-11-01","said":"words"}`, `"${"x".repeat(1000)}"`];
  const days = ["yesterday", "2026-11-01\u001b[2J", "2026-99-99"].map((day) => line(day));
  const numbers = [
    line("2026-11-01", { said: "shouted", obeyed: -5, ignored: "7" }),
    line("2026-11-01", { obeyed: 1e15 }),
  ];
  write("2026-11", ...foreign, ...days, ...numbers, line("2026-11-01"));

  expect(readHookTally(state, ALWAYS)).toEqual({ ...NONE, words: 2, obeyed: 100 });
});

it("reads at most as much as hooks write", () => {
  write("2026-11", line("2026-11-01"), "x".repeat(2_000_000), line("2026-11-01"));

  expect(readHookTally(state, ALWAYS)?.words).toBe(1);
});

it.skipIf(process.platform === "win32")("does not follow links or wait for pipes", () => {
  write("2026-11", line("2026-11-01"));
  renameSync(join(state, "nudges-2026-11.jsonl"), join(state, "elsewhere"));
  symlinkSync(join(state, "elsewhere"), join(state, "nudges-2026-11.jsonl"));
  execFileSync("mkfifo", [join(state, "nudges-2026-12.jsonl")]);

  expect(readHookTally(state, ALWAYS)).toBe(undefined);
});
