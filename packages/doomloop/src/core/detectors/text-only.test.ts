import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, findingsOf, round, text, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type TextOnlyOptions, textOnly } from "./text-only.ts";

const NAMES = ["parser", "printer", "lexer", "linter", "reader", "writer", "tracer", "loader", "binder", "folder"];
const plans = (count: number) => NAMES.slice(0, count).map((name) => text(`Next I will look at the ${name}.`));
const done = text("All tasks are complete.");

const countsOf = (options: TextOnlyOptions, events: readonly AgentEvent[]) =>
  findingsOf(textOnly(options), events).map(({ count }) => count);

describe("textOnly", () => {
  detectorContract(
    textOnly,
    plans(10),
    plans(10).flatMap((plan) => [plan, call("read_file", { path: "a.ts" })]),
  );

  it("fires at the threshold and not before", () => {
    expect(countsOf({ threshold: 5 }, plans(4))).toEqual([]);
    expect(countsOf({ threshold: 5 }, plans(6))).toEqual([5, 6]);
    expect(findingsOf(textOnly({ threshold: 5 }), plans(5))).toMatchObject([
      { steps: [], tools: [], evidence: { isRepeating: false } },
    ]);
  });

  it("fires earlier where the answers repeat each other", () => {
    expect(countsOf({ threshold: 9, repeatThreshold: 3 }, times(2, [done]))).toEqual([]);
    expect(findingsOf(textOnly({ threshold: 9, repeatThreshold: 3 }), times(3, [done]))).toMatchObject([
      { count: 3, evidence: { isRepeating: true } },
    ]);
  });

  it("takes answers that differ in a number of seconds for the same", () => {
    const waits = [3, 4, 5].map((at) => text(`Done at 2024-05-01T10:00:0${at}Z, nothing left to do.`));

    expect(countsOf({ threshold: 9, repeatThreshold: 3 }, waits)).toEqual([3]);
  });

  it.each([
    ["a call", [call("read_file", { path: "a.ts" })]],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...plans(3), ...events, ...plans(3)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...plans(3), ...events, ...plans(4)])).toEqual([4]);
    expect(countsOf({ repeatThreshold: 3 }, [done, done, ...events, done, done])).toEqual([]);
  });

  it("is not appeased by its own message", () => {
    expect(
      countsOf({ threshold: 4 }, [...plans(3), user("[doomloop] you gave 3 answers"), ...plans(4).slice(3)]),
    ).toEqual([4]);
  });

  it("counts a streamed answer when the next round begins", () => {
    const streamed = [
      round,
      { ...text("I will "), partial: true },
      { ...text("begin."), partial: true },
    ] as AgentEvent[];

    expect(countsOf({ threshold: 3 }, times(3, streamed))).toEqual([]);
    expect(countsOf({ threshold: 3 }, [...times(3, streamed), round])).toEqual([3]);
  });

  it("fires as early where the answers repeat each other and are streamed, however they are cut", () => {
    const streamed = (...pieces: string[]) => [round, ...pieces.map((piece) => ({ ...text(piece), partial: true }))];
    const answers = [
      streamed("All tasks ", "are complete."),
      streamed("All", " tasks are complete."),
      streamed("All tasks are complete."),
    ] as AgentEvent[][];

    expect(countsOf({ threshold: 9, repeatThreshold: 3 }, answers.flat())).toEqual([]);
    expect(countsOf({ threshold: 9, repeatThreshold: 3 }, [...answers.flat(), round])).toEqual([3]);
    expect(countsOf({ threshold: 9, repeatThreshold: 3 }, [done, done, ...answers[0]!, round])).toEqual([3]);
  });

  it("does not count words before a call", () => {
    const turn = [
      round,
      { ...text("I will read it."), partial: true },
      call("read_file", { path: "a.ts" }),
    ] as AgentEvent[];

    expect(countsOf({ threshold: 2, repeatThreshold: 2 }, times(9, turn))).toEqual([]);
  });

  it("counts the answers since the agent last acted or heard the user", () => {
    const kinds = fc.array(fc.constantFrom("text", "text", "text", "call", "user"), { maxLength: 14 });
    const property = fc.property(kinds, (names) => {
      const events = names.map((name, at): AgentEvent => {
        if (name === "text") return text(`${NAMES[at % 10]} and ${NAMES[(at * 3) % 10]}`);
        return name === "call" ? call("read_file", { at }) : user("go on");
      });
      const since = names.length - 1 - names.findLastIndex((name) => name !== "text");

      expect(countsOf({ threshold: 3, repeatThreshold: 99 }, events).at(-1) === since).toBe(since >= 3);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it.each([
    [{ threshold: 1 }, "text-only: threshold: … is required, got 1"],
    [{ repeatThreshold: 0 }, "text-only: repeatThreshold: … is required, got 0"],
  ])("refuses %j", (options, message) => {
    expect(() => textOnly(options)).toThrow(refusal(message));
  });
});
