import { expect, it } from "vitest";
import { loop as madeUpLoop, session as madeUpSession } from "../../../../../test/made-up-report.ts";
import type { LoopSummary, Report, ReportStep } from "../../scan/report/report.ts";
import { columnsOf } from "../../system/printable.ts";
import { createStyle } from "../terminal/style.ts";
import { showTimeline, timeline } from "./show-timeline.ts";

const SESSION = madeUpSession({ agent: "trace", agentName: "trace", project: null, model: null, calls: 40 });
const STEPS = Array.from({ length: 40 }, (_, at): ReportStep => {
  const call = at + 1;
  const label = `Bash ${call}`;
  return { call, tool: "Bash", label, same: label, outcome: "x", isFailing: false, at: null };
});

/** The lines of a session with one loop, from call 30 to 34. */
function linesOf(
  uncounted: LoopSummary["uncounted"],
  width = 80,
  { steps = STEPS, ...facts }: Partial<LoopSummary> & { readonly steps?: readonly ReportStep[] } = {},
): readonly string[] {
  const loop = madeUpLoop({
    ...{ id: "l", what: "Bash", count: 5, weight: 3.4, confidence: 1, onset: 30, end: 34, calls: [[30, 34]] },
    ...{ cause: "unknown", decisions: [], decided: 0, uncounted, at: null },
    afterOnset: { calls: 2, tokens: null, costUsd: null },
    ...facts,
  });
  const report = { sessions: [SESSION], loops: [loop], possibleLoops: [] } as unknown as Report;
  const style = createStyle({ isTTY: false }, {});
  return showTimeline(report, { width, style, isWhole: false, run: "a", steps }).split("\n");
}

it("says below a step why it did not count, after the bar of its loop", () => {
  const lines = linesOf([
    { call: 29, reason: "waiting" },
    { call: 32, reason: "changed-world" },
  ]);
  const below = (call: number) => lines[lines.findIndex((line) => line.trimStart().startsWith(`${call} `)) + 1];

  expect(below(29)).toBe("          adds nothing: it came after a pause, or was waiting for something");
  expect(below(32)).toBe("      │   adds nothing: something was changed in between");
  expect(lines.filter((line) => line.includes("adds nothing"))).toHaveLength(2);
});

it("shows beside a step what it added to the evidence", () => {
  const steps = STEPS.map((step) => (step.call === 31 ? { ...step, added: 0.22 } : step));
  const lines = linesOf([], 80, { steps, decisions: [{ call: 31, action: "nudge" }] });

  expect(lines.find((line) => line.trimStart().startsWith("31 "))).toMatch(/ok +\+0\.22 +nudge$/);
  expect(lines.find((line) => line.trimStart().startsWith("32 "))).toMatch(/ok$/);
});

it("begins its letters with the loop, however much repeats before it", () => {
  const steps = STEPS.map((step) => ({ ...step, same: step.call >= 30 ? "loop" : `${step.call % 14}` }));
  const lines = linesOf([], 80, { steps });

  expect(lines.find((line) => line.trimStart().startsWith("30 "))).toMatch(/^30 {2}A │/);
  expect(lines.find((line) => line.trimStart().startsWith("29 "))).toMatch(/^29 {2}B/);
});

it("says how often doomloop would have stepped in besides what is listed, unless the run would have been stopped", () => {
  const nudge = { call: 32, action: "nudge" as const };
  const told = (decisions: LoopSummary["decisions"], decided: number) =>
    linesOf([], 120, { decisions, decided }).find((line) => line.includes("evidence"));

  expect(told([nudge], 4)).toBe(
    "  evidence 3.4, where a plain repeat adds 1, cause unknown, id l, doomloop would have stepped in 3 more times",
  );
  expect(told([nudge], 2)).toBe(
    "  evidence 3.4, where a plain repeat adds 1, cause unknown, id l, doomloop would have stepped in once more",
  );
  expect(told([nudge, { call: 33, action: "stop" }], 9)).toBe(
    "  evidence 3.4, where a plain repeat adds 1, cause unknown, id l",
  );
});

it("shows a shared reason once, and different reasons each", () => {
  const twice = linesOf([
    { call: 32, reason: "user-spoke" },
    { call: 32, reason: "user-spoke" },
    { call: 32, reason: "compaction" },
  ]);

  expect(twice.filter((line) => line.includes("adds nothing"))).toHaveLength(2);
});

it("shows uncounted steps far from their loop, and what led to them", () => {
  const lines = linesOf([{ call: 10, reason: "user-spoke" }]);
  const shown = lines.map((line) => line.trim()).filter((line) => /^(?:\d+ {2}|…)/.test(line));

  expect(shown.slice(0, 6).map((line) => line.replace(/ +ok$/, "").replaceAll(/ +/g, " "))).toEqual([
    "… 7 steps",
    "8 Bash 8",
    "9 Bash 9",
    "10 Bash 10",
    "… 16 steps",
    "27 Bash 27",
  ]);
});

it("gives the number of steps that were not kept", () => {
  const steps = STEPS.filter(({ call }) => call === 5 || call === 20);
  const lines = timeline([], { steps, isWhole: true, width: 80, style: createStyle({ isTTY: false }, {}) }).split("\n");

  expect(lines.map((line) => line.trim().split("  ")[0])).toEqual(["… 4 steps", "5", "… 14 steps", "20"]);
});

it.each([24, 40])("fits into a width of %i, and escapes foreign characters", (width) => {
  const lines = linesOf([{ call: 32, reason: `\u001B[2J${"x".repeat(5_000)}` }], width);
  const below = lines.filter((line) => line.includes("adds nothing"));

  expect(below).toHaveLength(1);
  expect(columnsOf(below[0]!)).toBeLessThanOrEqual(width);
  expect(below[0]).not.toContain("\u001B");
});

it("says where the cost of a session comes from", () => {
  const costUsd = { low: 0.12, high: 0.12, isEstimated: false };
  const report = {
    sessions: [{ ...SESSION, costUsd, costFrom: "recorded" }],
    loops: [],
    possibleLoops: [],
  } as unknown as Report;
  const options = {
    width: 80,
    style: createStyle({ isTTY: false }, {}),
    isWhole: false,
    labelOf: String,
    run: "a",
    steps: [],
  };

  expect(showTimeline(report, options).replaceAll(/\s+/g, " ")).toMatch(/\$0\.12\W+as the agent recorded it/);
});

it("folds refusals in a row into one line, unless all steps are asked for", () => {
  const blocks = [30, 31, 33, 34].map((call) => ({ call, action: "block" as const }));
  const lines = linesOf([], 80, { decisions: blocks });
  const words = "would have refused 4 of the 5 calls from 30 to 34";

  expect(lines.filter((line) => /^3[0-4] /.test(line))).toHaveLength(1);
  expect(lines.find((line) => line.includes("…") && line.includes("refused"))).toBe(`      │ … ${words}`);
});

it("says of a possible loop that it is one", () => {
  expect(linesOf([], 80, { isPossible: true }).join("\n")).toContain("\nPossible loop: Bash, 5 times, calls 30 to 34");
});

it("prints the tabs of a result as spaces", () => {
  const steps = STEPS.map((step) => (step.call === 31 ? { ...step, output: "1\texport\n2\t}" } : step));

  expect(linesOf([], 80, { steps })).toContainEqual(expect.stringMatching(/│ {3}1 {2}export ↵ 2 {2}\}$/));
});

it("shows answers without calls after the call before them, which is innocent", () => {
  const facts = { kind: "text-only", what: "answers without a call", count: 16, onset: 30, end: 30, calls: [] };
  const afterOnset = { calls: 0, answers: 13, tokens: null, costUsd: null };
  const lines = linesOf([], 80, { ...facts, decisions: [{ call: 30, action: "nudge" }], afterOnset });
  const at = lines.findIndex((line) => line.startsWith("30 "));

  expect(lines[at]).not.toContain("nudge");
  expect(lines[at + 1]).toBe("      │ … answers without a call, 16 times  nudge");
  expect(lines.join("\n")).toContain("answers without a call, 16 times, after call 30 (answers without tool calls)");
  expect(lines.findLast((line) => line !== "")).toBe("  spent after doomloop would have stepped in: 13 answers");
});
