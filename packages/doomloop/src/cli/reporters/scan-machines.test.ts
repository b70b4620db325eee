import { expect, it } from "vitest";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { scanAnnotations } from "./scan-formats.ts";

const EVIL = 'a"]]>&<\n::error::b';

/** The parts of a report that machine formats use, with hostile text everywhere. */
function reportWith(loops: number): Report {
  const loop = { what: EVIL, kind: EVIL, session: EVIL, count: 8, onset: 1, end: 8 };
  const session = { id: EVIL, partOf: null, agentName: EVIL, project: EVIL };
  const totals = {
    sessions: 1,
    sessionsWithLoops: 1,
    calls: 8,
    loops,
    afterOnset: { calls: 5, tokens: null, costUsd: null },
  };
  const generator = { config: EVIL };
  const skipped = { lines: 0, files: 0, folders: 0 };
  return {
    generator,
    skipped,
    stopped: null,
    totals,
    sessions: [session],
    loops: Array<unknown>(loops).fill(loop),
    possibleLoops: [],
  } as unknown as Report;
}

const isAny = (_: LoopSummary): boolean => true;

it("writes annotations that a transcript cannot break out of", () => {
  const lines = scanAnnotations(reportWith(2), isAny).trimEnd().split("\n");

  expect(lines.map((line) => line.slice(0, 8))).toEqual(["::error ", "::error ", "::notice"]);
});

it("tells possible loops apart", () => {
  const { loops, totals, ...rest } = reportWith(1);
  const possibleLoops = loops.map((loop) => ({ ...loop, isPossible: true }));
  const report = { ...rest, totals: { ...totals, loops: 0, possibleLoops: 1 }, loops: [], possibleLoops };
  const isSure = ({ isPossible }: LoopSummary): boolean => !isPossible;

  expect(scanAnnotations(report, isSure)).toMatch(/^::notice title=doomloop%3A possible loop%2C /);
});

it("prints at most ten annotations of a level, the first ones, and sums up the rest", () => {
  const { possibleLoops: _, ...rest } = reportWith(17);
  const possibleLoops = reportWith(17).loops.map((loop) => ({ ...loop, isPossible: true }));
  const lines = scanAnnotations({ ...rest, possibleLoops, stopped: { read: 1, files: 2 } }, () => false)
    .trimEnd()
    .split("\n");
  const levels = lines.map((line) => line.split(" ")[0]);

  expect(levels.filter((level) => level === "::warning")).toHaveLength(10);
  expect(levels.filter((level) => level === "::notice")).toHaveLength(10);
  expect(lines).toHaveLength(20);
  expect(lines).toContainEqual(expect.stringMatching(/::8 loops and 9 possible loops more in the report$/));
  expect(scanAnnotations(reportWith(53), isAny)).toContain("::43 loops more in the report\n");
});
