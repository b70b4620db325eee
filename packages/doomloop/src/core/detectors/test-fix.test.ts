import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, round, step, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type TestFixOptions, testFix } from "./test-fix.ts";

const edit = (at: number) => step("edit", { path: "src/sum.ts", text: `attempt number ${at}` }, "edited");
const test = (says: string) => [call("bash", { command: "npm test" }), failure(says)];
const FAILED = "sum adds two numbers: expected 3, got 4\n1 failed, 7 passed";

/** An edit that is new each time, and a test run after it. */
const rounds = (outputs: readonly string[]) => outputs.flatMap((says, at) => [...edit(at), ...test(says)]);
const sameAgain = (count: number) => rounds(Array.from({ length: count }, () => FAILED));
const failed = (...counts: readonly number[]) => rounds(counts.map((count) => `${count} failed, 7 passed`));

const countsOf = (options: TestFixOptions, events: readonly AgentEvent[]) =>
  findingsOf(testFix(options), events).map(({ count }) => count);

describe("testFix", () => {
  detectorContract(testFix, sameAgain(6), failed(9, 7, 5, 4, 3, 2, 1));

  it("fires at the threshold and not before, in spite of changes", () => {
    expect(countsOf({ threshold: 4 }, sameAgain(3))).toEqual([]);
    expect(countsOf({ threshold: 4 }, sameAgain(6))).toEqual([4, 5, 6]);
    expect(findingsOf(testFix({ threshold: 4 }), sameAgain(4))).toMatchObject([
      { steps: [1, 3, 5, 7], tools: ["bash"], evidence: { failing: 1 } },
    ]);
  });

  it("fires at five by default", () => {
    expect(countsOf({}, sameAgain(4))).toEqual([]);
    expect(countsOf({}, sameAgain(5))).toEqual([5]);
  });

  it("is never certain: the next change may be the right one", () => {
    expect(findingsOf(testFix(), sameAgain(12)).some(({ isCertain }) => isCertain)).toBe(false);
  });

  it("does not take failures for the same whose last line names something else", () => {
    const trace = Array.from({ length: 20 }, (_, at) => `  File "app/${"abcdefgh"[at % 8]}.py", in load`).join("\n");
    const missing = ["store", "extend", "append", "count", "help", "parse"].map(
      (name) => `Traceback (most recent call last):\n${trace}\nImportError: cannot import name '${name}'`,
    );

    expect(countsOf({ threshold: 2 }, rounds(missing))).toEqual([]);
  });

  it("reports steps that stay as they were reported", () => {
    const [first] = findingsOf(testFix({ threshold: 4 }), sameAgain(6));

    expect(first?.steps).toEqual([1, 3, 5, 7]);
  });

  it("says how many tests fail only where the runner does", () => {
    const events = times(3, [call("bash", { command: "make" }), failure("undefined reference to `main`")]);

    expect(findingsOf(testFix({ threshold: 3 }), events)[0]?.evidence.failing).toBeUndefined();
  });

  it.each([
    ["a run that passes", [call("bash", { command: "npm test" }), result("8 passed", { error: false })]],
    ["a run that fails in another way", test("TypeError: sum is not a function\n3 failed")],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...sameAgain(3), ...events, ...sameAgain(3)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...sameAgain(3), ...events, ...sameAgain(4)])).toEqual([4]);
  });

  it("takes failures that differ in a duration only for the same", () => {
    const timed = [1, 2, 3, 4].map((at) => `${FAILED}\nTests ran in 0.${at}3s`);

    expect(countsOf({ threshold: 4 }, rounds(timed))).toEqual([4]);
  });

  it("takes failures with the same last words for the same, where hardly a line is new", () => {
    const suite = (...names: readonly string[]) =>
      [...names.map((name) => `FAIL src/${name}.test.ts > ${name} works`), "Error: 3 of the tests do not pass"].join(
        "\n",
      );
    const shuffled = [
      suite("open", "close", "read", "write"),
      suite("close", "read", "write", "open"),
      suite("write", "open"),
      suite("read", "write", "open", "close"),
    ];
    const fresh = [suite("a1", "b1", "c1"), suite("a2", "b2", "c2"), suite("ax", "bx", "cx"), suite("ay", "by", "cy")];

    expect(countsOf({ threshold: 4 }, rounds(shuffled))).toEqual([4]);
    expect(
      countsOf({ threshold: 4 }, rounds(fresh.map((text) => text.replaceAll("works", text.slice(9, 14))))),
    ).toEqual([]);
  });

  it("passes over a failure that waits for somebody else", () => {
    const locked = [call("bash", { command: "terraform plan" }), failure("Error: the state is locked by anna")];

    expect(countsOf({ threshold: 4 }, times(10, locked))).toEqual([]);
    expect(countsOf({ threshold: 4 }, times(40, locked))).not.toEqual([]);
  });

  it("counts every failing test run if asked to, better or not", () => {
    expect(countsOf({ threshold: 4 }, failed(2, 3, 2, 5))).toEqual([]);
    expect(countsOf({ threshold: 4, anyFailure: true }, failed(2, 3, 2, 5))).toEqual([4]);
    expect(countsOf({ threshold: 4, anyFailure: true }, failed(9, 7, 5, 3))).toEqual([4]);
  });

  it("counts any failing command only by its own outcome", () => {
    const events = [1, 2, 3, 4].flatMap((at) => [
      call("bash", { command: "make" }),
      failure(`main.c:${at}: ${"x".repeat(at)}`),
    ]);

    expect(countsOf({ threshold: 3, anyFailure: true }, events)).toEqual([]);
  });

  it.each([
    ["the refusal of another call", [call("search", { query: "q" }), result("refused", { synthetic: true })]],
    ["a step that succeeds", step("read_file", { path: "a.ts" }, "export const a = 1;")],
  ])("does not report the check again on %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...sameAgain(4), ...events])).toEqual([4]);
  });

  it("does not report the check again on the next call where outcomes are ignored", () => {
    const settings = { progress: { outcomes: "ignore" as const } };
    const events = [...sameAgain(4), call("read_file", { path: "a.ts" })];

    expect(findingsOf(testFix({ threshold: 4 }), events, settings)).toMatchObject([{ count: 4, tools: ["bash"] }]);
  });

  it("counts the failures of one check, and a round of them once", () => {
    const make = (line: string) => [call("bash", { command: line }), failure(FAILED)];
    const twice = [
      round,
      ...[1, 2].map((id) => call("bash", { command: "make" }, { id: `${id}` })),
      ...[1, 2].map((id) => ({ ...failure(FAILED), id: `${id}` })),
    ];

    expect(countsOf({ threshold: 2 }, [...make("make"), ...make("make check")])).toEqual([]);
    expect(countsOf({ threshold: 2 }, twice)).toEqual([]);
    expect(countsOf({ threshold: 2 }, times(2, twice))).toEqual([2]);
  });

  it("counts test runs of all commands together, and starts again where one passes", () => {
    const run = (command: string, says: string) => [call("bash", { command }), failure(says)];
    const both = [...run("npm test", "3 failed"), ...run("pytest", "2 failed in a.py"), ...run("npm test", "4 failed")];
    const passing = [call("bash", { command: "pytest" }), result("8 passed", { error: false })];
    const options = { threshold: 3, anyFailure: true };

    expect(countsOf(options, both)).toEqual([3]);
    expect(countsOf(options, [...both.slice(0, 4), ...passing, ...both.slice(4)])).toEqual([]);
  });

  it("remembers the latest sixteen checks", () => {
    const make = (target: number) => [call("bash", { command: `make ${target}` }), failure(FAILED)];
    const others = (count: number) => Array.from({ length: count }, (_, at) => make(at + 1)).flat();

    expect(countsOf({ threshold: 2 }, [...make(0), ...others(15), ...make(0)])).toEqual([2]);
    expect(countsOf({ threshold: 2 }, [...make(0), ...others(16), ...make(0)])).toEqual([]);
  });

  it("gives one check one identity in every run, and another check another", () => {
    const loopOf = (command: string, start = 0) =>
      findingsOf(
        testFix({ threshold: 2 }),
        [start, start + 1].flatMap((at) => [...edit(at), call("bash", { command }), failure(FAILED)]),
      )[0]?.loop;

    expect(loopOf("npm test", 7)).toBe(loopOf("npm test"));
    expect(loopOf("make check")).not.toBe(loopOf("npm test"));
  });

  it("counts the runs in a row that fail the same way", () => {
    const property = fc.property(fc.array(fc.constantFrom("one", "two"), { maxLength: 8 }), (names) => {
      const events = rounds(names.map((name) => `${name} is broken\n2 failed`));
      const last = names.at(-1);
      const since = names.length - 1 - names.findLastIndex((name) => name !== last);

      expect(countsOf({ threshold: 3 }, events).at(-1) === since).toBe(since >= 3);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it("refuses a threshold that one run would reach", () => {
    const message = "test-fix: threshold: … is required, got 1";

    expect(() => testFix({ threshold: 1 })).toThrow(refusal(message));
  });
});
