import { expect, it } from "vitest";
import type { ReportedRun } from "../../scan/report-builder.ts";
import { columnsOf } from "../../system/printable.ts";
import { runTable } from "./run-table.ts";

const SURE = { kind: "repeated-call", areEqual: true, isPossible: false, what: "npm run e2e" };
const POSSIBLE = { ...SURE, isPossible: true };
const OTHER = { ...POSSIBLE, kind: "call-cycle" };

function rowsOf(width: number, ...loops: (typeof SURE)[]): readonly string[] {
  const found = loops.map((loop) => ({ ...loop, decisions: [{ call: 3, action: "nudge" }] }));
  const record = { run: "0ad1c00e-e030-4089-846b-e6ead9b31092", calls: 40, loops: found };
  const run = { id: "4f32a2b3aa", record } as unknown as ReportedRun;
  return runTable([run], width).trimEnd().split("\n");
}

it.each([40, 60, 80, 120, 200])("shows in %d columns that a run has only a possible loop", (width) => {
  const lines = rowsOf(width, POSSIBLE);

  expect(lines[1]).toMatch(/ nudge {2}1 possible\b/);
  expect(rowsOf(width, SURE)[1]).toMatch(/ nudge {2}1(?: |$)/);
  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
});

it("tells loops and possible loops of one run apart", () => {
  expect(rowsOf(200, OTHER, SURE)[1]).toMatch(
    / 1 \+ 1 possible +same call again; possible: repeating cycle +npm run e2e$/,
  );
});
