import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, step, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type FailureStreakOptions, failureStreak } from "./failure-streak.ts";

const WORDS = [
  "unknown option",
  "no such file",
  "disk full",
  "not a tty",
  "bad magic",
  "syntax error",
  "no route",
  "busy",
];

/** A command that fails in its own way. */
const failing = (at: number, tool = "bash") => [
  call(tool, { command: `program-${at} --run` }),
  failure(`program: ${WORDS[at % WORDS.length]}`),
];
const failures = (count: number, tool?: string) => Array.from({ length: count }, (_, at) => failing(at, tool)).flat();

const countsOf = (options: FailureStreakOptions, events: readonly AgentEvent[]) =>
  findingsOf(failureStreak(options), events).map(({ count }) => count);

describe("failureStreak", () => {
  detectorContract(
    failureStreak,
    failures(9),
    Array.from({ length: 9 }, (_, at) => [...failing(at), ...step("bash", { command: `ls ${at}` }, `a${at}`)]).flat(),
  );

  it("fires at the threshold and not before", () => {
    expect(countsOf({ threshold: 4 }, failures(3))).toEqual([]);
    expect(countsOf({ threshold: 4 }, failures(6))).toEqual([4, 5, 6]);
    expect(findingsOf(failureStreak({ threshold: 4 }), failures(4))).toMatchObject([
      { steps: [0, 1, 2, 3], tools: ["bash"], evidence: { isFileWork: false } },
    ]);
  });

  it.each([
    ["a success of the tool", step("bash", { command: "pwd" }, "src", { error: false })],
    ["a new change of the world", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...failures(3), ...events, ...failures(3)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...failures(3), ...events, ...failures(4)])).toEqual([4]);
  });

  it("goes on over successes of other tools", () => {
    const events = [0, 1, 2, 3].flatMap((at) => [...failing(at), ...step("read_file", { path: `${at}.ts` }, `${at}`)]);

    expect(countsOf({ threshold: 4 }, events)).toEqual([4]);
  });

  it("counts the failures of each tool by themselves, and those of several tools where they are half as many again", () => {
    expect(countsOf({ threshold: 4 }, [...failures(3, "bash"), ...failures(2, "python")])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...failures(3, "bash"), ...failures(3, "python")])).toEqual([6]);
  });

  it("ends a row across tools with the success of any", () => {
    const success = step("read_file", { path: "a.ts" }, "export const a = 1;", { error: false });

    expect(countsOf({ threshold: 4 }, [...failures(3, "bash"), ...success, ...failures(3, "python")])).toEqual([]);
  });

  it("leaves a list that is worked through alone, though no item of it succeeds", () => {
    const item = (name: string, at: number) => [call("get_part", { number: name }), failure(WORDS[at % WORDS.length])];
    const items = ["KX-771", "QP-204", "ZZ-918", "LM-663", "RB-150", "TT-042", "HV-377", "WA-816"];

    expect(countsOf({ threshold: 4 }, items.flatMap(item))).toEqual([]);
  });

  it("says so where most of the failing commands work on files", () => {
    const files = ["cat a.txt", "sed -i s/a/b/ a.txt", "cp a.txt b.txt", "mv b.txt c.txt"];
    const events = files.flatMap((command, at) => [call("bash", { command }), failure(WORDS[at])]);

    expect(findingsOf(failureStreak({ threshold: 4 }), events)).toMatchObject([{ evidence: { isFileWork: true } }]);
  });

  it("does not take output that mentions failures for one", () => {
    const log = `${"all is well, nothing to report here. ".repeat(20)}\nerrors seen in the past: 3\ndone`;
    const events = Array.from({ length: 6 }, (_, at) => [
      call("bash", { command: `tail log-${at}` }),
      result(log),
    ]).flat();

    expect(countsOf({ threshold: 2 }, events)).toEqual([]);
  });

  it("gives the streak of a tool one identity in every run, and of another tool another", () => {
    const loopOf = (tool: string, count: number) =>
      findingsOf(failureStreak({ threshold: 3 }), failures(count, tool)).at(-1)?.loop;

    expect(loopOf("bash", 5)).toBe(loopOf("bash", 3));
    expect(loopOf("python", 3)).not.toBe(loopOf("bash", 3));
  });

  it("counts the failures since the last success", () => {
    const property = fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (outcomes) => {
      const events = outcomes.flatMap((isFailing, at) =>
        isFailing ? failing(at) : step("bash", { command: `ls dir-${at}` }, `file-${at}`, { error: false }),
      );
      const since = outcomes.length - 1 - outcomes.lastIndexOf(false);

      expect(countsOf({ threshold: 3 }, events).at(-1) === since).toBe(since >= 3);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 2) });
  });

  it.each([
    [{ threshold: 1 }, "failure-streak: threshold: … is required, got 1"],
    [{ threshold: 21 }, "failure-streak: threshold: … is required, got 21"],
    [{ threshold: Number.POSITIVE_INFINITY }, "failure-streak: threshold: … is required, got Infinity"],
  ])("refuses %j", (options, message) => {
    expect(() => failureStreak(options)).toThrow(refusal(message));
  });

  it("fires at the largest threshold too", () => {
    expect(countsOf({ threshold: 20 }, failures(20))).toEqual([20]);
    expect(findingsOf(failureStreak({ threshold: 20 }), failures(60)).at(-1)?.steps).toHaveLength(24);
  });
});
