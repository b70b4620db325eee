import { expect, it } from "vitest";
import { findAbsent, findLosses, holdGoals, readFigures } from "../../bench/quality/figures.ts";
import type { Instrument } from "../../bench/quality/instruments.ts";
import { OURS } from "../../bench/quality/judge-run.ts";

const measured = (recall: number, size = 20): Instrument[] => [
  {
    ...{ name: "recorded windows", data: "20 runs", size },
    figures: [{ name: "recall", unit: "ratio", better: "more", tolerance: 0.02, values: { [OURS]: recall } }],
  },
];
const committed = { "recorded windows": { size: 20, data: "20 runs", figures: { recall: 0.8 }, shown: {} } };

it.each([
  ["itself", measured(0.8), []],
  ["a better one", measured(0.9), []],
  ["a fall within the tolerance", measured(0.781), []],
  ["a figure that fell", measured(0.779), ["recorded windows, recall: 0.7790, committed 0.8000"]],
  [
    "other data",
    measured(0.8, 21),
    ["recorded windows: other data than that of the committed figures: --write commits new ones"],
  ],
])("compares a committed figure with %s", (_title, now, losses) => {
  expect(findLosses(now, committed)).toEqual(losses);
  expect(findAbsent(now, { ...committed, rows: committed["recorded windows"] })).toEqual(["rows"]);
});

it("has goals for figures that are committed, reached at their bound", () => {
  const figures = readFigures();

  for (const { instrument, figure } of holdGoals([])) expect(figures[instrument]?.figures).toHaveProperty([figure]);
  const verdictOf = (recall: number) => holdGoals(measured(recall)).find(({ measured: one }) => one !== undefined);
  expect([verdictOf(0.8)?.isReached, verdictOf(0.799)?.isReached]).toEqual([true, false]);
});
