import { readFileSync } from "node:fs";
import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { createHearing, judgedBy, type RecordedVerdict } from "../../bench/opinion/judged-guard.ts";
import { type LoopExpectation, scoreLoop } from "../../bench/quality/everyday.ts";
import type { CreateGuard } from "../../bench/quality/guard.ts";
import { type QuickRun, replayFile } from "../../bench/quality/quick-run.ts";
import { isFull } from "../campaign-size.ts";

const lines = readFileSync("bench/opinion/verdicts.jsonl", "utf8").trim().split("\n");
const verdicts = lines.map((line) => JSON.parse(line) as RecordedVerdict);

function replayed(name: string, create: CreateGuard): readonly QuickRun[] {
  const path = `bench/everyday/${name}.jsonl.gz`;
  return replayFile({ path, kind: "everyday", labelled: [], oneIn: 1 }, create).runs;
}

function foundIn(runs: readonly QuickRun[]): { inTime: number; count: number } {
  const scores = runs.map(({ expectation, words }) =>
    scoreLoop(
      expectation as LoopExpectation,
      words.map(({ call }) => call),
    ),
  );
  const inTime = scores.filter(({ verdict }) => verdict === "found").length;
  return { inTime, count: scores.length };
}

const page = readFileSync("docs/second-opinion.md", "utf8");

/** A row of the page's table: what it says of the rules alone, and with a second opinion. */
function rowOf(name: string): readonly string[] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${name} `));
  return (row ?? "")
    .split("|")
    .slice(2, 4)
    .map((cell) => cell.trim());
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}%`;
}

describe.skipIf(!isFull)("the page about second opinions", () => {
  it.each(["3", "8"])("says what the bench prints for set %s", (set) => {
    for (const [at, create] of [createGuard, judgedBy(createHearing(verdicts))].entries()) {
      const silent = replayed(`innocent-${set}`, create).filter(({ expectation }) => expectation?.expect === "silent");
      const told = silent.filter(({ words }) => words.length > 0).length;
      const { inTime, count } = foundIn(replayed(`loops-${set}`, create));

      expect(rowOf(`healthy runs told, set ${set}`)[at]).toBe(percent(told, silent.length));
      expect(rowOf(`loops found in time, set ${set}`)[at]).toBe(percent(inTime, count));
    }
  });
});
