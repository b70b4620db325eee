import { expect, it } from "vitest";
import type { LoopSummary, Report, ReportStep, SessionSummary } from "../scan/report.ts";
import { columnsOf } from "../terminal/printable.ts";
import { createStyle } from "../terminal/style.ts";
import { showTimeline } from "./show-timeline.ts";

const SESSION: SessionSummary = {
  ...{ id: "a", agent: "trace", project: null, model: null, startedAt: null, endedAt: null, isFileTime: false },
  ...{ calls: 40, tokens: null, costUsd: null, loops: 1 },
};
const STEPS = Array.from({ length: 40 }, (_, call): ReportStep => {
  const label = `Bash ${call}`;
  return { call, tool: "Bash", label, same: label, outcome: "x", isFailing: false, at: null };
});

/** The lines of a session whose one loop goes from call 30 to 34. */
function linesOf(uncounted: LoopSummary["uncounted"], width = 80): readonly string[] {
  const loop: LoopSummary = {
    ...{ id: "l", session: "a", kind: "repeated-call", tools: ["Bash"], what: "Bash", count: 5, period: null },
    ...{ confidence: 1, onset: 30, end: 34, decisions: [], uncounted, at: null },
    afterOnset: { calls: 2, tokens: null, costUsd: null },
  };
  const report = { sessions: [SESSION], loops: [loop] } as unknown as Report;
  const style = createStyle({ isTTY: false }, {});
  return showTimeline(report, { width, style, isWhole: false, labelOf: String, run: "a", steps: STEPS }).split("\n");
}

it("tells below a step why it was not counted, behind the bar of its loop", () => {
  const lines = linesOf([
    { call: 29, reason: "waiting" },
    { call: 32, reason: "changed-world" },
  ]);
  const below = (call: number) => lines[lines.findIndex((line) => line.trimStart().startsWith(`${call} `)) + 1];

  expect(below(29)).toBe("          not counted as a repeat: it was waiting for something");
  expect(below(32)).toBe("      │   not counted as a repeat: something was changed in between");
  expect(lines.filter((line) => line.includes("not counted"))).toHaveLength(2);
});

it("tells a reason once where loops share it, and each of several", () => {
  const twice = linesOf([
    { call: 32, reason: "user-spoke" },
    { call: 32, reason: "user-spoke" },
    { call: 32, reason: "compaction" },
  ]);

  expect(twice.filter((line) => line.includes("not counted"))).toHaveLength(2);
});

it("shows steps far from their loop that were not counted, and what led to them", () => {
  const lines = linesOf([{ call: 10, reason: "user-spoke" }]);
  const shown = lines.map((line) => line.trim()).filter((line) => /^(?:\d+ {2}|…)/.test(line));

  expect(shown.slice(0, 6).map((line) => line.replace(/ +ok$/, "").replaceAll(/ +/g, " "))).toEqual([
    "… 8 steps",
    "8 Bash 8",
    "9 Bash 9",
    "10 Bash 10",
    "… 16 steps",
    "27 Bash 27",
  ]);
});

it.each([24, 40])("keeps to a width of %i, and lets no foreign sign through", (width) => {
  const lines = linesOf([{ call: 32, reason: `\u001B[2J${"x".repeat(5_000)}` }], width);
  const timeline = lines.filter((line) => line.includes("not counted"));

  expect(timeline).toHaveLength(1);
  expect(columnsOf(timeline[0]!)).toBeLessThanOrEqual(width);
  expect(timeline[0]).not.toContain("\u001B");
});
