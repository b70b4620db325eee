import { readFileSync } from "node:fs";
import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { createHearing, judgedBy, type RecordedVerdict } from "../../bench/opinion/judged-guard.ts";
import type { LoopExpectation } from "../../bench/quality/everyday/expectation.ts";
import { scoreLoop } from "../../bench/quality/everyday/score-loop.ts";
import type { CreateGuard } from "../../bench/quality/load-guard.ts";
import type { QuickRun } from "../../bench/quick/quick-run.ts";
import { replayFile } from "../../bench/quick/replay-file.ts";

const lines = readFileSync("bench/opinion/verdicts.jsonl", "utf8").trim().split("\n");
const verdicts = lines.map((line) => JSON.parse(line) as RecordedVerdict);

function replayed(name: string, create: CreateGuard): readonly QuickRun[] {
  const path = `bench/everyday/${name}.jsonl.gz`;
  return replayFile({ path, kind: "everyday", labelled: [], oneIn: 1 }, create).runs;
}

function judged(name: string) {
  const hearing = createHearing(verdicts);
  return { runs: replayed(name, judgedBy(hearing)), hearing };
}

function foundIn(runs: readonly QuickRun[]): { inTime: number; ever: number; count: number } {
  const scores = runs.map(({ expectation, words }) =>
    scoreLoop(
      expectation as LoopExpectation,
      words.map(({ call }) => call),
    ),
  );
  const inTime = scores.filter(({ verdict }) => verdict === "found").length;
  return { inTime, ever: scores.filter(({ verdict }) => verdict !== "missed").length, count: scores.length };
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

describe("the page about second opinions", () => {
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

describe("the verdicts that were written down", () => {
  it.each(["innocent-3", "innocent-8"])("answer the questions about %s, and leave honest work alone", (name) => {
    const { runs, hearing } = judged(name);
    const silent = runs.filter(({ expectation }) => expectation?.expect === "silent");

    // A guard that changes asks at other moments. Too many of those, and the figures mean nothing.
    expect(hearing.open.size / hearing.asked).toBeLessThan(0.05);
    expect(silent.filter(({ words }) => words.length > 0).length / silent.length).toBeLessThan(0.05);
    expect(hearing.asked / hearing.calls).toBeLessThan(0.06);
    expect(Math.max(...hearing.lengths) / 4).toBeLessThan(900);
  });

  it.each(["loops-3", "loops-8"])("find the loops of %s in time", (name) => {
    const { inTime, count } = foundIn(judged(name).runs);

    expect(inTime / count).toBeGreaterThan(0.8);
  });

  it("find loops in which nothing repeats", () => {
    expect(foundIn(judged("slow-8").runs).ever).toBeGreaterThanOrEqual(4);
  });
});
