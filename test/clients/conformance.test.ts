import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConformanceRun } from "../../scripts/conformance/played-run.ts";
import { conformanceText } from "../../scripts/write-conformance.ts";

const text = readFileSync(resolve(import.meta.dirname, "../../clients/conformance.jsonl"), "utf8");
const runs = text
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as ConformanceRun);

describe("the conformance file", () => {
  it("says what today's guard decides", () => {
    // If the guard decides differently on purpose, `node scripts/write-conformance.ts` writes the file anew.
    expect(conformanceText() === text).toBe(true);
  });

  it("has 200 runs under 200 names", () => {
    expect(new Set(runs.map(({ run }) => run)).size).toBe(200);
  });

  it("has every action, several kinds of loops, and runs in which nothing is said", () => {
    const decisions = runs.flatMap((run) => run.decisions);

    expect(new Set(decisions.map(({ action }) => action))).toEqual(new Set(["continue", "nudge", "block", "stop"]));
    expect(new Set(decisions.map(({ kind }) => kind)).size).toBeGreaterThan(4);
    expect(runs.filter((run) => run.decisions.length === 0).length).toBeGreaterThan(50);
  });

  it("gives every call and result a time, so that no clock of a service matters", () => {
    const events = runs.flatMap((run) => run.events).filter(({ type }) => type === "call" || type === "result");

    expect(events.filter((event) => typeof (event as { at?: number }).at !== "number")).toEqual([]);
  });
});
