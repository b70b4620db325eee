import { describe, expect, it } from "vitest";
import type { FleetReading, SeenSuspect } from "../../fleet/inspect/read-fleet.ts";
import { columnsOf } from "../../system/printable.ts";
import {
  createFleetTable,
  type FleetAnswer,
  type FleetMoment,
  type FleetTableOptions,
  fleetAnswer,
} from "./fleet-lines.ts";

const SETTINGS = { calls: 10, workers: 2, windowMs: 300_000, keyMark: "0c4bb119" };

function suspect(number: number, more: Partial<SeenSuspect> = {}): SeenSuspect {
  const name = `name${number}`.padEnd(22, "-");
  return { name, tool: "fetch", calls: 12, workers: 2, lastsMs: 250_000, isDeadEnd: true, isOfNow: true, ...more };
}

function reading(suspects: readonly SeenSuspect[], more: Partial<FleetReading> = {}): FleetReading {
  const rest = { switch: "on", settings: SETTINGS, isUsed: true, runs: 34, cleared: [], fault: undefined };
  return { ...rest, suspects, ...more };
}

function linesOf(moment: FleetMoment, options?: FleetTableOptions): readonly string[] {
  const table = createFleetTable();
  table.take(moment);
  return table.lines(options);
}

const firstOf = (more: Partial<FleetReading>, suspects: readonly SeenSuspect[] = []): string =>
  linesOf({ reading: reading(suspects, more) })[0]!;

describe("the table of a fleet", () => {
  it("shows dead ends and suspects", () => {
    const search = suspect(1, { tool: "search", calls: 100, workers: 3, lastsMs: 58_000 });
    const page = suspect(2, { calls: 6, isDeadEnd: false });

    expect(linesOf({ reading: reading([search, suspect(0), page]) })).toEqual([
      "2 dead ends | switch on | 34 runs active",
      "",
      "tool    calls  processes  counts for  call",
      "search   100+          3        58 s  name1---",
      "fetch      12          2  4 min 10 s  name0---",
      "",
      "1 suspect: a dead end takes 10 calls by 2 processes",
      "fetch       6          2  4 min 10 s  name2---",
    ]);
  });

  it("shows whose counts were cleared, and by whom", () => {
    const call = { name: "name0-----------------", tool: "fetch\u001b[2J" };
    const cleared = [
      { ...call, times: 5, unsaid: 5, by: [] },
      { ...call, times: 3, unsaid: 1, by: ["Qx1", "Zz2"] },
    ];
    const lines = linesOf({ reading: reading([], { cleared }) });

    expect(lines.slice(1)).toEqual([
      "",
      "Counts that were cleared, and by which process",
      expect.stringMatching(/^fetch\S* name0---: 5 times, 5 without a word$/),
      expect.stringMatching(/^fetch\S* name0---: 3 times, by Qx1, Zz2, 1 without a word$/),
    ]);
    expect(lines.join("")).not.toContain("\u001b");
  });

  it("shows suspects if there are no dead ends", () => {
    expect(linesOf({ reading: reading([suspect(0, { calls: 6, isDeadEnd: false })]) })).toEqual([
      "No dead ends | switch on | 34 runs active",
      "",
      "1 suspect: a dead end takes 10 calls by 2 processes",
      "tool   calls  processes  counts for  call",
      "fetch      6          2  4 min 10 s  name0---",
    ]);
  });

  it("says in one line that all is well", () => {
    expect(linesOf({ reading: reading([]) })).toEqual(["No dead ends | switch on | 34 runs active"]);
  });

  it.each<[Partial<FleetReading>, string]>([
    [{ switch: undefined }, "No dead ends | switch not set (on) | 34 runs active"],
    [{ switch: "offf\u001b[2J" }, "No dead ends | switch unreadable | 34 runs active"],
    [{ runs: 1 }, "No dead ends | switch on | 1 run active"],
    [{ runs: 12_345 }, "No dead ends | switch on | about 12,345 runs active"],
    [{ settings: undefined }, "Dead ends unknown: settings unreadable | switch on | 34 runs active"],
    [{ settings: undefined, isUsed: false }, "No worker has connected yet | switch on | 34 runs active"],
  ])("summarises the fleet: %o", (more, line) => {
    expect(firstOf(more)).toBe(line);
  });

  it("calls nothing a dead end if the settings are unknown", () => {
    const moment = { reading: reading([suspect(0, { isDeadEnd: false })], { settings: undefined, isUsed: false }) };

    expect(linesOf(moment)[0]).toContain("Dead ends unknown: settings missing | ");
    expect(linesOf(moment)[2]).toBe("1 suspect: the threshold for a dead end is unknown");
  });

  it("shows changes since the previous moment, however often it is drawn", () => {
    const table = createFleetTable();
    table.take({ reading: reading([suspect(0), suspect(1), suspect(2)]) });
    table.take({
      reading: reading([suspect(0, { calls: 15 }), suspect(1, { calls: 11 }), suspect(2), suspect(3)]),
    });
    table.lines({ showChange: true });

    expect(table.lines({ showChange: true }).slice(2)).toEqual([
      "tool   calls  change  processes  counts for  call",
      "fetch     15      +3          2  4 min 10 s  name0---",
      "fetch     11      -1          2  4 min 10 s  name1---",
      "fetch     12                  2  4 min 10 s  name2---",
      "fetch     12     new          2  4 min 10 s  name3---",
    ]);
  });

  it("says why it is out of date, and shows the last reading", () => {
    const known = reading([suspect(0)]);
    const lines = linesOf({ reading: known, fault: "cannot read the store: \u001b[2Jgone" });

    expect(lines.slice(0, 2)).toEqual([
      "1 dead end | switch on | 34 runs active",
      "cannot read the store: \\u{1b}[2Jgone",
    ]);
    expect(lines.at(-1)).toContain("12");
    expect(linesOf({ reading: undefined, fault: "gone" })).toEqual(["Nothing is known yet", "gone"]);
  });

  it("distinguishes current counts from earlier ones", () => {
    const told = suspect(0, { isOfNow: false });
    const lines = linesOf({ reading: reading([told], { fault: "it is a Cluster" }) });

    expect(lines[1]).toBe("the counts are incomplete: it is a Cluster");
    expect(lines.at(-1)).toBe("fetch    12+         2+  4 min 10 s  name0---");
  });

  it("escapes foreign names", () => {
    const text = linesOf({ reading: reading([suspect(0, { tool: "a\u001b[31mb\nc\u202e" })]) }).join("\n");

    expect(text).toContain("a\\u{1b}[31mb\\u{a}c\\u{202e}");
  });

  it.each([20, 40, 60, 80, 140])("fits into %i columns", (width) => {
    const long = suspect(0, { tool: "mcp__browser__navigate_to_the_page_and_wait_检索检索" });
    const lines = linesOf(
      {
        reading: reading([long, suspect(1), suspect(2, { isDeadEnd: false })]),
        fault: "cannot read the store: NOPERM this user has no permissions to run the 'pfcount' command",
      },
      { width, showChange: true },
    );

    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });

  it.each([
    [10, "and 34 more"],
    [3, "and 40 more"],
  ])("fits into %i lines, and says how many more there are", (height, last) => {
    const suspects = Array.from({ length: 40 }, (_, at) => suspect(at, { isDeadEnd: at < 20 }));
    const lines = linesOf({ reading: reading(suspects) }, { height });

    expect(lines.length).toBeLessThanOrEqual(height);
    expect(lines.at(-1)).toBe(last);
  });

  it("leaves out a heading without room for a row", () => {
    const suspects = [suspect(0), suspect(1, { isDeadEnd: false }), suspect(2, { isDeadEnd: false })];
    const lines = linesOf({ reading: reading(suspects) }, { height: 7 });

    expect(lines.slice(3)).toEqual([expect.stringContaining("name0"), "and 2 more"]);
  });

  it("emphasises only headings", () => {
    const emphasise = (text: string) => `<${text}>`;
    const lines = linesOf({ reading: reading([suspect(0)]) }, { emphasise });

    expect(lines.map((line) => line.startsWith("<"))).toEqual([true, false, true, false]);
  });
});

const ANSWER: FleetAnswer = {
  ...{ name: "SZPBqDjCghPlvH0a-Ow3uA", calls: 12, workers: 3, lastsMs: 250_000, switch: "on", isKeyTheirs: true },
  settings: { calls: 10, workers: 2, windowMs: 300_000, keyMark: "0c4bb119" },
  scope: "shared",
};

const verdictOn = (more: Partial<FleetAnswer>): string => fleetAnswer({ ...ANSWER, ...more })[0]!;
const nothing = { calls: 0, workers: 0, lastsMs: 0 };

describe("the answer about one call", () => {
  it("says that it is a dead end, and why", () => {
    expect(fleetAnswer(ANSWER)).toEqual([
      "It is a dead end.",
      "",
      "calls       12; a dead end takes 10",
      "processes   3; a dead end takes 2",
      "counts for  4 min 10 s",
      "call        SZPBqDjCghPlvH0a-Ow3uA",
      "scope       the whole fleet",
      "switch      on",
      "key         the same as the workers'",
    ]);
  });

  it.each<[string, Partial<FleetAnswer>]>([
    ["It is a suspect, not a dead end yet.", { calls: 9 }],
    ["It is a suspect, not a dead end yet.", { workers: 1 }],
    ["It is a dead end.", { calls: 10, workers: 2 }],
    ["It is a suspect. It may be a dead end, but the workers' settings are missing.", { settings: undefined }],
    [
      "It is unknown. No worker has connected: the tenant or the address may be wrong.",
      { ...nothing, settings: undefined },
    ],
  ])("is %s", (verdict, more) => {
    expect(verdictOn(more)).toBe(verdict);
  });

  it("says that a call about a worker's own world counts for nobody else by itself", () => {
    expect(fleetAnswer({ ...ANSWER, scope: "own" })).toContainEqual(expect.stringMatching(/^scope .*--world/));
  });

  it("gives no figures if nothing is counted", () => {
    const lines = fleetAnswer({ ...ANSWER, ...nothing });

    expect(lines[0]).toMatch(/^It is unknown\. In the last 5 min /);
    expect(lines.filter((line) => /^(?:calls|processes|counts)/.test(line))).toEqual([]);
  });

  it("shows at most what the store can count", () => {
    expect(fleetAnswer({ ...ANSWER, calls: 100 })[2]).toBe("calls       100 or more; a dead end takes 10");
  });

  it.each([
    [true, "the same as the workers'"],
    [false, "not the same as in the workers' settings"],
    [undefined, "cannot be compared"],
  ])("says whether the key is the workers': %s", (isKeyTheirs, words) => {
    expect(fleetAnswer({ ...ANSWER, isKeyTheirs }).at(-1)).toBe(`key         ${words}`);
  });
});
