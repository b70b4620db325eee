import { expect, it } from "vitest";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { scanAnnotations, scanJunit } from "./scan-formats.ts";

const EVIL = 'a"]]>&<\n::error::b';

/** The parts of a report that machine formats use, with hostile text everywhere. */
function reportWith(loops: number): Report {
  const loop = { what: EVIL, kind: EVIL, session: EVIL, count: 8, onset: 1, end: 8 };
  const session = { id: EVIL, agentName: EVIL, project: EVIL };
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
  } as unknown as Report;
}

const isAny = (_: LoopSummary): boolean => true;

it("writes annotations that a transcript cannot break out of", () => {
  const lines = scanAnnotations(reportWith(2), isAny).trimEnd().split("\n");

  expect(lines.map((line) => line.slice(0, 8))).toEqual(["::error ", "::error ", "::notice"]);
});

it("gives the number of loops it leaves out", () => {
  expect(scanAnnotations(reportWith(53), isAny)).toContain("::3 loops more in the report\n");
});

it("writes JUnit that a transcript cannot break out of", () => {
  const xml = scanJunit(reportWith(1), isAny);

  expect(xml).toContain('tests="1" failures="1"');
  expect(xml).toContain("a&quot;]]&gt;&amp;&lt;\\u{a}");
  expect(xml.match(/<\w+/g)).toEqual([
    "<testsuites",
    "<testsuite",
    "<properties",
    ...Array<string>(6).fill("<property"),
    "<testcase",
    "<failure",
  ]);
});
