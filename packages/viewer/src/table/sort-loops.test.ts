import { describe, expect, it } from "vitest";
import { sampleLoop, sampleRow } from "../report/sample.ts";
import { type SortColumn, sortLoops } from "./sort-loops.ts";

const amount = (high: number) => ({ low: high, high, isEstimated: false });
const row = (
  what: string,
  count: number,
  usd: number | null,
  tokens: number,
  action: string | null,
  time: number | null,
) =>
  sampleRow({
    ...{ action, time, agent: what },
    loop: sampleLoop({
      what,
      count,
      afterOnset: { calls: count, tokens: amount(tokens), costUsd: usd === null ? null : amount(usd) },
    }),
  });
const rows = [
  row("file 10", 3, null, 900, null, null),
  row("file 9", 7, 2, 10, "stop", 5),
  row("Ä", 5, 0.5, 20, "nudge", 9),
  row("b", 4, null, 9_000, "block", 7),
];
const order = (column: SortColumn, isDescending: boolean) =>
  sortLoops(rows, { column, isDescending }).map(({ loop }) => loop.what);

describe("the order of the table", () => {
  it.each([
    ["what", false, ["Ä", "b", "file 9", "file 10"]],
    ["times", true, ["file 9", "Ä", "b", "file 10"]],
    ["when", true, ["Ä", "b", "file 9", "file 10"]],
    ["guard", true, ["file 9", "b", "Ä", "file 10"]],
    ["spent", true, ["file 9", "b", "file 10", "Ä"]],
    ["spent", false, ["Ä", "file 10", "b", "file 9"]],
  ] as const)("by %s, descending %s, is %j", (column, isDescending, whats) => {
    expect(order(column, isDescending)).toEqual(whats);
  });
});
