import { describe, expect, it } from "vitest";
import { parseLabels } from "../../bench/quality/labels.ts";
import { reliabilityOf } from "../../bench/quality/reliability.ts";

const label = (more: object) => JSON.stringify({ run: "a", window: [0, 20], verdict: "progress", ...more });
const rowsOf = (line: string, ...decisions: [call: number, confidence: number][]) =>
  reliabilityOf(parseLabels(line).windows, () => ({
    decisions: decisions.map(([call, confidence]) => ({ call, confidence })),
  }));

describe("reliability", () => {
  it("is by the first word that hits a loop", () => {
    const loop = label({ verdict: "loop", onset: 5, end: 9 });

    expect(rowsOf(loop, [2, 0.5], [6, 0.9], [7, 0.8])).toEqual([{ confidence: 0.9, windows: 1, right: 1 }]);
  });

  it("is by the first word that disturbs honest work", () => {
    expect(rowsOf(label({}), [2, 0.5], [6, 0.9])).toEqual([{ confidence: 0.5, windows: 1, right: 0 }]);
  });

  it("leaves out windows in which nothing was said, or nothing in time", () => {
    expect(rowsOf(label({}))).toEqual([]);
    expect(rowsOf(label({ verdict: "loop", onset: 5, end: 9 }), [2, 0.5])).toEqual([]);
  });

  it("has the surest first", () => {
    const lines = [label({}), label({ run: "b", verdict: "loop", onset: 0, end: 9 })].join("\n");
    const rows = reliabilityOf(parseLabels(lines).windows, (run) => ({
      decisions: [{ call: 1, confidence: run === "b" ? 0.95 : 0.6 }],
    }));

    expect(rows.map(({ confidence }) => confidence)).toEqual([0.95, 0.6]);
  });
});
