import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { appendToLog } from "../agents/hook/intervention-log.ts";
import { readHookTally } from "./run-scan.ts";

const ALL = { since: undefined, until: undefined };
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-tally-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const day = (month: number, date: number): number => Date.UTC(2026, month - 1, date, 12);

it("is nothing where hooks have said nothing", () => {
  expect(readHookTally(join(state, "absent"), ALL)).toBeUndefined();
});

it("adds up what was said in a range of time, across months", () => {
  for (const said of ["words", "words", "question", "refusal", "end", "allowed"] as const)
    appendToLog(state, { at: day(10, 31), said });
  appendToLog(state, { at: day(11, 1), said: "outcome", obeyed: 2, ignored: 1 });
  appendToLog(state, { at: day(11, 2), said: "words", ignored: 1 });

  const all = { words: 3, questions: 1, refusals: 1, ends: 1, obeyed: 2, ignored: 2, allowed: 1 };
  expect(readHookTally(state, ALL)).toEqual(all);
  expect(readHookTally(state, { since: day(11, 2), until: undefined })).toMatchObject({
    words: 1,
    ignored: 1,
    obeyed: 0,
  });
  expect(readHookTally(state, { since: undefined, until: day(10, 31) })).toMatchObject({ words: 2, obeyed: 0 });
  expect(readHookTally(state, { since: day(12, 1), until: undefined })).toBeUndefined();
});

it("does not count that another model was asked", () => {
  appendToLog(state, { at: day(11, 1), said: "opinion", verdict: "stuck" });

  expect(readHookTally(state, ALL)).toBeUndefined();
});

it("believes no number that no hook writes", () => {
  appendToLog(state, { at: day(11, 1), said: "outcome", obeyed: 999_999 });

  expect(readHookTally(state, ALL)?.obeyed).toBe(100);
});
