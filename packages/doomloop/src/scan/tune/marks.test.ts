import { expect, it } from "vitest";
import type { LoopSummary } from "../report/report.ts";
import { judgeBy, markOf } from "./marks.ts";

function loop(onset: number, end: number, session = "a"): LoopSummary {
  return { id: `${session}-${onset}`, session, kind: "repeated-call", onset, end } as LoopSummary;
}

const marks = [markOf(loop(1, 40), true), markOf(loop(10, 20), false)];
const judgements = (...loops: readonly LoopSummary[]) => judgeBy(marks, loops).map(({ isRight }) => isRight);

it("judges each loop by its own mark, although one lies in a gap of the other", () => {
  expect(judgements(loop(1, 40), loop(10, 20))).toEqual([true, false]);
});

it("finds a loop again that is a little longer or shorter", () => {
  expect(judgements(loop(1, 55), loop(12, 20), loop(10, 17))).toEqual([true, false, false]);
});

it("has no mark for loops beside it, and for those of other sessions", () => {
  expect(judgements(loop(41, 50), loop(21, 24), loop(1, 40, "b"))).toEqual([undefined, undefined, undefined]);
});
