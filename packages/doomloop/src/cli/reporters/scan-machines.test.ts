import { expect, it } from "vitest";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { scanAnnotations, scanJunit, scanLines } from "./scan-formats.ts";

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

it("tells possible loops apart: a notice, and the output of a test that passes", () => {
  const { loops, totals, ...rest } = reportWith(1);
  const possibleLoops = loops.map((loop) => ({ ...loop, isPossible: true }));
  const report = { ...rest, totals: { ...totals, loops: 0, possibleLoops: 1 }, loops: [], possibleLoops };
  const isSure = ({ isPossible }: LoopSummary): boolean => !isPossible;
  const junit = scanJunit(report, isSure);

  expect(scanAnnotations(report, isSure)).toMatch(/^::notice title=doomloop%3A possible loop%2C /);
  expect(junit).toContain('tests="1" failures="0"');
  expect(junit).toContain('name="possible loops" value="1"');
  expect(junit).toMatch(/<system-out>possible loop: [^<>]*<\/system-out>/);
  expect([...scanLines(report)].at(-1)).toMatch(/^\{"type":"possible-loop",/);
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

it("counts a main agent with its subagents as one test", () => {
  const { sessions, loops, ...rest } = reportWith(1);
  const parts = ["b", "c"].map((id) => ({ ...sessions[0]!, id, partOf: EVIL }));
  const inPart = loops.map((loop) => ({ ...loop, session: "b" }));
  const xml = scanJunit({ ...rest, sessions: [...parts, ...sessions], loops: inPart }, isAny);

  expect(xml).toContain('tests="1" failures="1"');
  expect(xml.match(/<testcase|<failure/g)).toEqual(["<testcase", "<failure"]);
});

it("writes JUnit that a transcript cannot break out of", () => {
  const xml = scanJunit(reportWith(1), isAny);

  expect(xml).toContain('tests="1" failures="1"');
  expect(xml).toContain("a&quot;]]&gt;&amp;&lt;\\u{a}");
  expect(xml.match(/<\w+/g)).toEqual([
    "<testsuites",
    "<testsuite",
    "<properties",
    ...Array<string>(7).fill("<property"),
    "<testcase",
    "<failure",
  ]);
});
