import { describe, expect, it } from "vitest";
import type { FleetGlobalFinding } from "../../fleet/fleet.ts";
import { columnsOf } from "../terminal/printable.ts";
import { createFleetTable, type FleetMoment, type FleetTableOptions } from "./fleet-table.ts";

function finding(number: number, more: Partial<FleetGlobalFinding> = {}): FleetGlobalFinding {
  const fingerprint = String.fromCharCode(0x3400 + number).repeat(9);
  return { fingerprint, tool: "fetch", calls: 12, workers: 2, windowMs: 300_000, workerNames: ["ada", "ben"], ...more };
}

function linesOf(moment: FleetMoment, options?: FleetTableOptions): readonly string[] {
  const table = createFleetTable();
  table.take(moment);
  return table.lines(options);
}

describe("the table of a fleet", () => {
  it("says who is stuck on what", () => {
    const search = finding(1, { tool: "search", calls: 9, workers: 3, workerNames: ["ben", "cleo", "dan"] });

    expect(linesOf({ findings: [finding(0), search], state: "connected" })).toEqual([
      "2 dead ends in 5 min, 4 workers stuck | connected",
      "",
      "tool    calls  workers  who             call",
      "fetch      12        2  ada, ben        34003400",
      "search      9        3  ben, cleo, dan  34013401",
    ]);
  });

  it("says in one line that all is well", () => {
    expect(linesOf({ findings: [] })).toEqual(["No dead ends"]);
  });

  it("says what has changed since the moment before, however often it is drawn", () => {
    const table = createFleetTable();
    table.take({ findings: [finding(0), finding(1), finding(2)] });
    table.take({ findings: [finding(0, { calls: 15 }), finding(1, { calls: 11 }), finding(2), finding(3)] });
    table.lines({ showChange: true });

    expect(table.lines({ showChange: true }).slice(2, 7)).toEqual([
      "tool   calls  change  workers  who       call",
      "fetch     15      +3        2  ada, ben  34003400",
      "fetch     11      -1        2  ada, ben  34013401",
      "fetch     12                2  ada, ben  34023402",
      "fetch     12     new        2  ada, ben  34033403",
    ]);
  });

  it("says why it is not up to date", () => {
    const [first] = linesOf({ findings: [], state: "degraded", fault: "cannot read the store: \u001b[2Jgone" });

    expect(first).toBe("No dead ends | degraded | cannot read the store: \\u{1b}[2Jgone");
  });

  it("shows foreign names without what they could do to a terminal", () => {
    const text = linesOf({
      findings: [finding(0, { tool: "a\u001b[31mb\nc", workerNames: ["\u0007bell", "\u202eright"] })],
    }).join("\n");

    expect(text).toContain("a\\u{1b}[31mb\\u{a}c");
    expect(text).toContain("\\u{7}bell, \\u{202e}right");
  });

  it.each([20, 40, 60, 80, 140])("fits into %i columns", (width) => {
    const long = {
      tool: "mcp__browser__navigate_to_the_page_and_wait",
      workerNames: ["a".repeat(50), "检索检索", "b"],
    };
    const lines = linesOf(
      { findings: [finding(0, long), finding(1)], state: "connected" },
      { width, showChange: true },
    );

    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });

  it("fits into the lines there are, and says how many are left", () => {
    const findings = Array.from({ length: 40 }, (_, at) => finding(at));
    const lines = linesOf({ findings }, { height: 10 });

    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("and 34 more");
  });

  it("names twelve workers, and counts the others", () => {
    const workerNames = Array.from({ length: 200 }, (_, at) => `w${at}`);

    expect(linesOf({ findings: [finding(0, { workerNames })] }).at(-1)).toContain("w10, w11, +188");
  });
});
