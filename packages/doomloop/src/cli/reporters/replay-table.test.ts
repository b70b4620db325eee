import { expect, it } from "vitest";
import type { Replay, ReplayedDecision } from "../replay/replay-run.ts";
import { columnsOf } from "../terminal/printable.ts";
import { replayTable } from "./replay-table.ts";

function decision(more: Partial<ReplayedDecision> = {}): ReplayedDecision {
  return { call: 3, action: "nudge", kind: "repeated-call", confidence: 1, tools: ["read_file"], ...more };
}

function replay(calls: number, ...decisions: ReplayedDecision[]): Replay {
  return { calls, decisions, badEvents: 0, faults: 0 };
}

function linesOf(runs: readonly (readonly [string, Replay])[], width?: number): string[] {
  const table = replayTable(width === undefined ? {} : { width });
  const text = runs.map(([run, replayed]) => table.add(run, replayed)).join("") + table.end();
  return text.split("\n");
}

it("lists the runs that loop and sums up all", () => {
  const looping = replay(
    12,
    decision(),
    decision({ call: 7, action: "stop", kind: "call-cycle", tools: ["ls", "read_file"] }),
  );

  expect(
    linesOf([
      ["first", looping],
      ["second", replay(4)],
      ["third", replay(1234, decision({ call: 900 }))],
    ]),
  ).toEqual([
    "run    calls  first  worst  kinds                      tools",
    "first     12      3  stop   repeated-call, call-cycle  read_file, ls",
    "third   1234    900  nudge  repeated-call              read_file",
    "",
    "Loops in 2 of 3 runs, 1,250 calls: 2 nudges, 1 stop.",
    "",
  ]);
});

it("says so in one line when all is well", () => {
  expect(
    linesOf([
      ["a", replay(4)],
      ["b", replay(1)],
    ]),
  ).toEqual(["No loops in 2 runs, 5 calls.", ""]);
  expect(linesOf([["a", replay(1)]])).toEqual(["No loops in 1 run, 1 call.", ""]);
});

it("says so when there was nothing", () => {
  expect(linesOf([])).toEqual(["No runs found.", ""]);
});

it("tells what was only reported", () => {
  expect(linesOf([["a", replay(4, decision({ action: "continue" }), decision({ action: "continue" }))]]).at(-2)).toBe(
    "Loops in 1 of 1 run, 4 calls: 2 findings only reported.",
  );
});

it.each([40, 60, 80, 140])("stays within %i columns", (width) => {
  const long = replay(
    12,
    decision({ kind: "repeated-call", tools: ["a_tool_with_a_very_long_name".repeat(3)] }),
    decision({ kind: "failure-streak" }),
  );
  const lines = linesOf(
    [
      ["a run with a very long name ".repeat(6), long],
      ["実行".repeat(40), long],
    ],
    width,
  );

  for (const line of lines.slice(0, 3)) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  expect(lines[1]).toContain("nudge");
});

it("shows foreign names without their control characters", () => {
  const [, row] = linesOf([["\u001b[2Jx", replay(3, decision({ tools: ["\u001b]0;y\u0007"] }))]]);

  expect(row).toBe("\\u{1b}[2Jx      3      3  nudge  repeated-call  \\u{1b}]0;y\\u{7}");
});

it("prints as it goes when there are many runs", () => {
  const table = replayTable();
  const pieces = Array.from({ length: 1500 }, (_, at) => table.add(`run ${at}`, replay(5, decision())));

  expect(pieces.findIndex((piece) => piece !== "")).toBe(499);
  expect(pieces.slice(500).every((piece) => piece !== "")).toBe(true);
  expect(pieces.join("").split("\n").length).toBe(1502);
});
