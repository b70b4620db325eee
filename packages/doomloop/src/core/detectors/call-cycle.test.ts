import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, findingsOf, result, round, step, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type CallCycleOptions, callCycle } from "./call-cycle.ts";

const look = (name: string, says = `what ${name} says, the same as ever`) => step("read_file", { path: name }, says);
const lapOf = (...names: readonly string[]) => names.flatMap((name) => look(name));
const files = (count: number) => Array.from({ length: count }, (_, at) => `file-${at}.ts`);

const countsOf = (options: CallCycleOptions, events: readonly AgentEvent[]) =>
  findingsOf(callCycle(options), events).map(({ count }) => count);

describe("callCycle", () => {
  detectorContract(
    callCycle,
    times(3, lapOf("src/one.ts", "src/two.ts", "src/three.ts")),
    [1, 2, 3, 4].flatMap((turn) => [
      ...look("a.ts"),
      ...step("bash", { command: "npm test" }, `${turn} passed so far`),
    ]),
  );

  it("counts equal calls of one round once", () => {
    const lap = [round, ...look("a"), ...look("a"), round, ...look("b")];

    expect(findingsOf(callCycle({ laps: 2, beyond: 0 }), times(2, lap))).toMatchObject([{ period: 2, count: 2 }]);
  });

  it("fires at the laps that are asked for and the steps beyond, not before", () => {
    expect(countsOf({ laps: 2, beyond: 1 }, times(2, lapOf("a", "b")))).toEqual([]);
    expect(countsOf({ laps: 2, beyond: 1 }, [...times(2, lapOf("a", "b")), ...look("a")])).toEqual([2]);
    expect(countsOf({ laps: 2, beyond: 0 }, times(2, lapOf("a", "b")))).toEqual([2]);
    expect(countsOf({ laps: 3, beyond: 0 }, times(3, lapOf("a", "b")))).toEqual([3]);
  });

  it("names the period, the latest two laps and their tools", () => {
    const lap = [...look("a"), ...step("grep", { pattern: "x" }, "nothing that matches it")];

    expect(findingsOf(callCycle({ laps: 2, beyond: 0 }), times(3, lap)).at(-1)).toMatchObject({
      period: 2,
      steps: [2, 3, 4, 5],
      tools: ["read_file", "grep"],
      evidence: { outcome: "exact", isWaiting: false, sequence: ["read_file", "grep"] },
    });
  });

  it("names the calls in their order, although results come back in reverse", () => {
    const lap = [
      round,
      call("read_file", { path: "a" }, { id: "1" }),
      call("read_file", { path: "b" }, { id: "2" }),
      result("what b says", { id: "2" }),
      result("what a says", { id: "1" }),
    ];

    expect(findingsOf(callCycle({ beyond: 0 }), times(2, lap)).at(-1)?.steps).toEqual([0, 1, 2, 3]);
  });

  it.each([2, 3, 5, 11, 16, 17, 24])("finds a cycle of %i", (period) => {
    const findings = findingsOf(callCycle({ laps: 2, beyond: 0 }), times(2, lapOf(...files(period))));

    expect(findings).toMatchObject([{ period, count: 2 }]);
    expect(findings[0]!.steps.length).toBeLessThanOrEqual(32);
  });

  it("does not look for longer cycles than it is asked for, nor for shorter ones", () => {
    expect(countsOf({ maxPeriod: 3 }, times(4, lapOf(...files(4))))).toEqual([]);
    expect(countsOf({ minPeriod: 3 }, times(8, lapOf("a", "b", "c")))).not.toEqual([]);
    expect(
      findingsOf(callCycle({ minPeriod: 3 }), times(8, lapOf("a", "b"))).map(({ period }) => period),
    ).not.toContain(2);
  });

  it("leaves one call that repeats to others", () => {
    expect(countsOf({}, times(12, look("a")))).toEqual([]);
  });

  it.each([
    ["a new outcome", look("a", "something that was not there before")],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    const twice = times(2, lapOf("a", "b"));

    expect(countsOf({ laps: 2, beyond: 1 }, [...twice, ...events, ...twice])).toEqual([]);
    expect(countsOf({ laps: 2, beyond: 1 }, [...twice, ...events, ...twice, ...look("a")])).toEqual([2]);
  });

  it("starts again after a new change of the world, with the first lap in which nothing is seen anew", () => {
    const edit = (to: string) => step("edit", { path: "a", content: to }, "edited");
    const lap = lapOf("a", "b");

    expect(countsOf({}, [...times(2, lap), ...edit("new"), ...times(2, lap)])).toEqual([]);
    expect(countsOf({}, [...times(2, lap), ...edit("new"), ...times(3, lap)])).toEqual([2]);
    expect(
      countsOf(
        {},
        ["one", "two", "three", "four"].flatMap((to) => [...edit(to), ...lap, ...look("a")]),
      ),
    ).toEqual([]);
  });

  it("is certain if one call of the lap proves that nothing happened", () => {
    const answer = (of: string, output = "the order is open and waits for a signature") =>
      step("get_order", { of }, output);
    const long = `an answer of more than two hundred characters, ${"which nobody gives twice word for word ".repeat(4)}`;
    const isCertain = (lap: readonly AgentEvent[]) => findingsOf(callCycle(), times(4, lap)).at(-1)?.isCertain;

    expect(isCertain([...answer("a"), ...answer("b")])).toBe(false);
    expect(isCertain([...answer("a"), ...answer("b", long)])).toBe(true);
    expect(isCertain([...answer("a"), ...look("b")])).toBe(true);
    expect(isCertain([...answer("a"), call("read_file"), result("no such file", { error: true })])).toBe(true);
    expect(isCertain([...answer("a"), call("get_order"), result("no such order", { error: true })])).toBe(false);
  });

  it("is never certain of laps that say nothing of what came of them, however many", () => {
    const lap = ["e1", "e2"].flatMap((ref) => step("click", { ref }, "Clicked"));
    const findings = findingsOf(callCycle(), times(40, lap));

    expect(findings.length).toBeGreaterThan(4);
    expect(findings.some(({ isCertain }) => isCertain)).toBe(false);
  });

  it("needs eight laps more where a lap shows nothing of what came of it, and one where it tells hardly more than a value", () => {
    const pair = (tool: string, says: string) => ["one", "two"].flatMap((of) => step(tool, { of }, says));
    const first = (lap: readonly AgentEvent[]) => findingsOf(callCycle({ beyond: 0 }), times(20, lap))[0]?.count;

    expect(first(pair("read_file", "ok"))).toBe(2);
    expect(first(pair("get_order", "the order is open and waits for a signature"))).toBe(2);
    expect(first(pair("get_order", "the order is still open"))).toBe(3);
    expect(first(pair("click", "Clicked"))).toBe(10);
  });

  it("needs no more laps of a long lap that tells no more than a value", () => {
    const first = (...clicks: readonly string[]) => {
      const lap = [
        ...clicks.flatMap((ref) => step("click", { ref }, "Clicked")),
        ...step("get_order", {}, "it is still open today"),
      ];
      return findingsOf(callCycle({ beyond: 0 }), times(4, lap))[0]?.count;
    };

    expect(first("e1", "e2")).toBe(3);
    expect(first("e1", "e2", "e3")).toBe(2);
  });

  it("is never certain of calls whose results nobody sees", () => {
    const lap = [call("get_order", { of: "a" }), call("get_order", { of: "b" })];
    const findings = findingsOf(callCycle(), times(9, lap), { progress: { seesResults: false } });

    expect(findings.length).toBeGreaterThan(3);
    expect(findings.some(({ isCertain }) => isCertain)).toBe(false);
  });

  it("takes an edit and its reverse in turn for a cycle", () => {
    const edit = (from: string, to: string) => step("edit", { path: "a", old_string: from, new_string: to }, "edited");

    expect(countsOf({}, times(4, [...edit("x", "y"), ...edit("y", "x")]))).not.toEqual([]);
  });

  it("leaves a test run after each new edit alone", () => {
    const fix = (at: number) => [
      ...step("edit", { path: "a.ts", content: `attempt ${at}` }, "edited"),
      ...step("bash", { command: "npm test" }, "1 failed, 3 passed"),
    ];

    expect(countsOf({ laps: 2, beyond: 0 }, [1, 2, 3, 4, 5].flatMap(fix))).toEqual([]);
  });

  it("leaves laps alone in which an act says how much it changed", () => {
    const lap = (says: string) => [...step("move_batch", { size: 1000 }, says), ...look("a")];

    expect(countsOf({}, times(8, lap("moved 1000 rows")))).toEqual([]);
    expect(countsOf({}, times(12, lap("moved them all")))).not.toEqual([]);
  });

  it("leaves pages that are read one after the other alone", () => {
    const page = (at: number) => step("read_file", { path: "a.ts", offset: at }, `line ${at} of the file`);

    expect(countsOf({}, [0, 1, 2, 3, 4, 5, 6, 7].flatMap(page))).toEqual([]);
  });

  it("needs more laps in a run that shows no results", () => {
    const lap = [call("read_file", { path: "a" }), call("read_file", { path: "b" })];

    expect(countsOf({ blindLaps: 4 }, times(3, lap))).toEqual([]);
    expect(findingsOf(callCycle({ blindLaps: 4 }), times(4, lap))).toMatchObject([
      { count: 4, evidence: { outcome: "blind" } },
    ]);
  });

  it("gives a cycle one identity, whichever call came first and whatever came before", () => {
    const loopOf = (events: readonly AgentEvent[]) => findingsOf(callCycle({ beyond: 0 }), events).at(-1)?.loop;
    const loop = loopOf(times(2, lapOf("a", "b", "c")));

    expect(loopOf(times(2, lapOf("b", "c", "a")))).toBe(loop);
    expect(loopOf([...look("z"), ...times(4, lapOf("c", "a", "b"))])).toBe(loop);
    expect(loopOf(times(2, lapOf("a", "c", "b")))).not.toBe(loop);
    expect(loopOf(times(2, lapOf("a", "b", "d")))).not.toBe(loop);
  });

  it("finds every cycle, with the same identity for every rotation", () => {
    const lap = fc.uniqueArray(fc.nat(30), { minLength: 2, maxLength: 6 });
    const property = fc.property(lap, fc.nat(5), (places, turn) => {
      const names = places.map((place) => `file-${place}.ts`);
      const shift = turn % names.length;
      const rotated = [...names.slice(shift), ...names.slice(0, shift)];
      const [one] = findingsOf(callCycle({ beyond: 0 }), times(2, lapOf(...names)));
      const [other] = findingsOf(callCycle({ beyond: 0 }), times(2, lapOf(...rotated)));

      expect(one).toMatchObject({ period: names.length, count: 2 });
      expect(other?.loop).toBe(one?.loop);
    });
    // Some twenty-five steps a case.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it.each([
    [{ minPeriod: 1 }, "call-cycle: minPeriod: … is required, got 1"],
    [{ maxPeriod: 33 }, "call-cycle: maxPeriod: … is required, got 33"],
    [{ minPeriod: 8, maxPeriod: 4 }, "call-cycle: maxPeriod: … is required, got 4"],
    [{ laps: 1 }, "call-cycle: laps: … is required, got 1"],
    [{ beyond: 3 }, "call-cycle: beyond: … is required, got 3"],
    [{ beyond: -1 }, "call-cycle: beyond: … is required, got -1"],
    [{ blindLaps: 1.5 }, "call-cycle: blindLaps: … is required, got 1.5"],
  ])("refuses %j", (options, message) => {
    expect(() => callCycle(options)).toThrow(refusal(message));
  });

  it.each([[{ laps: 4 }], [{ laps: 13, maxPeriod: 8 }], [{ blindLaps: 49 }]])(
    "refuses %j, which no memory holds",
    (options) => {
      expect(() => callCycle(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    },
  );

  it("accepts many laps of short cycles", () => {
    expect(countsOf({ laps: 6, maxPeriod: 4 }, times(7, lapOf("a", "b")))).toEqual([6, 6 + 1]);
  });
});
