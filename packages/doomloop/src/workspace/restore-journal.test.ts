import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beginJournal, openJournal, type RestorePlan } from "./restore-journal.ts";

const PLAN: RestorePlan = {
  id: "0123abcd",
  kind: "restore",
  target: "a",
  safety: "b",
  files: [{ path: "no\xfftext" }],
  staying: [],
  folders: [],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the journal of a restore", () => {
  it("tells the next process the plan and what is done", () => {
    beginJournal(folder, PLAN).note(0, { leftBecause: "x" });

    expect(openJournal(folder)).toMatchObject({ plan: PLAN, outcomes: new Map([[0, { leftBecause: "x" }]]) });
  });

  it("is deleted at the end", () => {
    beginJournal(folder, PLAN).end();

    expect(openJournal(folder)).toBeUndefined();
  });

  it("ignores a line that was cut off, and goes on after it", () => {
    const journal = beginJournal(folder, PLAN);
    appendFileSync(join(folder, "restore.journal"), '\n0123456789abcdef [0,{"lef');
    journal.note(1, {});

    expect([...openJournal(folder)!.outcomes.keys()]).toEqual([1]);
  });

  it("refuses a damaged plan, and names its file", () => {
    beginJournal(folder, PLAN);
    const path = join(folder, "restore.journal");
    writeFileSync(path, readFileSync(path, "utf8").replace("0123abcd", "0123abce"));

    expect(() => openJournal(folder)).toThrow(/restore\.journal is damaged/);
  });
});
