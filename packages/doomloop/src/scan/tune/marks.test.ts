import { expect, it } from "vitest";
import type { LoopSummary } from "../report/report.ts";
import { stretchesOf } from "./marks.ts";

function loop(session: string, onset: number, end: number): LoopSummary {
  return { id: `${session}-${onset}`, session, onset, end } as LoopSummary;
}

/** Stretches as text, with the first calls of their findings. */
function joined(...loops: readonly LoopSummary[]): readonly string[] {
  return stretchesOf(loops).map(
    ({ session, onset, end, loops: own }) => `${session} ${onset} to ${end}: ${own.map((each) => each.onset).join()}`,
  );
}

it("joins findings of one session that overlap or touch", () => {
  expect(joined(loop("a", 1, 4), loop("a", 5, 9), loop("a", 8, 20))).toEqual(["a 1 to 20: 1,5,8"]);
  expect(joined(loop("a", 1, 30), loop("a", 5, 9), loop("a", 31, 40))).toEqual(["a 1 to 40: 1,5,31"]);
});

it("separates findings that do not touch, and those of other sessions", () => {
  expect(joined(loop("a", 1, 4), loop("a", 6, 9), loop("b", 4, 5))).toEqual([
    "a 1 to 4: 1",
    "a 6 to 9: 6",
    "b 4 to 5: 4",
  ]);
});

it("keeps the order of the findings, also within a stretch", () => {
  expect(joined(loop("b", 7, 9), loop("a", 3, 4), loop("b", 1, 7))).toEqual(["b 1 to 9: 7,1", "a 3 to 4: 3"]);
});
