import { describe, expect, it } from "vitest";
import { call, newRun, takeCall } from "../../../../../test/builders.ts";
import { pack, unpack } from "../collections/pack.ts";
import { hashesOf } from "../identity/argument-words.ts";
import { similarityOf } from "../identity/compare-arguments.ts";
import type { Step } from "../step.ts";
import { createRunState, remember } from "./run-state.ts";
import { compareSteps, forgetView, isLikeEarlier, keepOutcome, mayResemble, saidBy, wordsIn } from "./views.ts";

/** A step with these arguments that came back with this, or with what the host left of an output of that length. */
function stepOf(args: object, output: string, { index = 0, length = output.length } = {}): Step {
  const step = takeCall(newRun({ progress: { seesResults: true } }), call("tool", args));
  return { ...step, index, length, said: keepOutcome(output, length) };
}

/** Steps one after the other. */
const stepsOf = (...steps: readonly (readonly [args: object, output: string])[]) =>
  steps.map(([args, output], index) => stepOf(args, output, { index }));

/** The step as a snapshot keeps it. */
function saved(step: Step): Step {
  wordsIn(step);
  saidBy(step);
  return unpack(JSON.parse(JSON.stringify(pack(step)))) as Step;
}

describe("a step's view", () => {
  it("compares steps by their arguments and outcomes", () => {
    const one = stepOf({ query: "the first question of all" }, "at 12:00:01");
    const other = stepOf({ query: "the first question of all" }, "at 12:00:02");

    expect(similarityOf(wordsIn(one)!, wordsIn(other)!)).toBe(1);
    expect(saidBy(one)?.digest).toBe(saidBy(other)?.digest);
    expect(compareSteps(one, other)).toBe("same");
  });

  it("is let go of when the step is too long ago", () => {
    const state = createRunState();
    const steps = Array.from({ length: 100 }, (_, index) => stepOf({ index }, `${index}`, { index }));
    for (const step of steps) remember(state, step);

    expect([wordsIn(steps[0]!), saidBy(steps[0]!)]).toEqual([undefined, undefined]);
    expect([wordsIn(steps[99]!), saidBy(steps[99]!)]).not.toContain(undefined);
    expect(state.history).toHaveLength(24);
    expect(state.history.every(({ said }) => said !== undefined)).toBe(true);
  });

  it("is like nothing where the step has no outcome, or is too long ago", () => {
    const [one, other] = stepsOf([{}, "words"], [{}, "words"]);
    const isLike = () => [compareSteps(one!, other!) === "same", mayResemble(one!, other!)];
    expect(isLike()).toEqual([true, true]);
    forgetView(other!);

    expect(isLike()).toEqual([false, false]);
    expect(compareSteps({ ...one!, said: undefined }, other!)).toBeUndefined();
  });

  it("tells whether it saw the whole of an output", () => {
    const short = stepOf({}, "short");
    const long = stepOf({}, "long ".repeat(10_000));
    const cut = stepOf({}, "cut by the host", { length: 9000 });

    expect([short, long, cut].map((step) => saidBy(step)?.isWhole)).toEqual([true, false, false]);
  });

  it("sees whole lines of a long output, so that a line more in the middle shows nowhere", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${"abcdefgh"[at % 8]} of the page`);
    const page = (line: string) => stepOf({}, [...lines(80), line, ...lines(80)].join("\n"));

    expect(saidBy(page("one line in the middle"))?.digest).toBe(
      saidBy(page("another line, a good deal longer, in the middle"))?.digest,
    );
  });

  it("sees the beginning alone of an output that the host has cut", () => {
    const cut = (end: string, length: number) => stepOf({}, `${"a line of the page\n".repeat(200)}${end}`, { length });

    expect(saidBy(cut("one end", 20_000))?.digest).toBe(saidBy(cut("another end", 20_001))?.digest);
  });

  it("sees the end of a long output", () => {
    const ending = (end: string) => saidBy(stepOf({}, `${"line\n".repeat(5000)}${end}`))?.digest;

    expect(ending("one")).not.toBe(ending("two"));
  });

  it("knows the words of arguments in their order, also when they were saved, and the first of very many", () => {
    const steps = [
      stepOf({ query: "one two" }, ""),
      stepOf({ query: "two one" }, ""),
      stepOf({ query: "one two", flag: true }, ""),
      stepOf({ query: "word ".repeat(200) }, ""),
    ];

    for (const some of [steps, steps.map(saved)]) {
      const [one, other, flagged, long] = some.map((step) => wordsIn(step)!);
      expect(one).not.toEqual(other);
      expect(hashesOf(one!)).toEqual(hashesOf(other!));
      expect(flagged).toEqual(one);
      expect(hashesOf(long!).size).toBe(1);
    }
  });

  it("is kept without a word, and is the same after a save", () => {
    const step = stepOf({ query: "a secret question" }, "a secret answer");
    const resumed = saved(step);

    expect(JSON.stringify(step)).not.toContain("secret");
    expect(step.arguments?.text).toBeUndefined();
    expect(wordsIn(resumed)).toEqual(wordsIn(step));
    expect(saidBy(resumed)).toEqual(saidBy(step));
    expect(compareSteps(resumed, stepOf({ query: "a secret question" }, "a secret answer"))).toBe("same");
  });
});

describe("mayResemble", () => {
  const ends = (line: string) => stepOf({}, `Traceback\nImportError: no name ${line}`);

  it("is true for outputs that begin and end alike, whatever numbers and white space stand there", () => {
    const one = ends("'Store' (line 1)\n");

    expect(mayResemble(one, ends("'Store' (line 22)"))).toBe(true);
    expect(mayResemble(one, ends("'Extend' (line 1)"))).toBe(false);
    expect(mayResemble(saved(one), ends("'Store' (line 22)"))).toBe(true);
    expect(mayResemble(saved(one), ends("'Extend' (line 1)"))).toBe(false);
  });

  it("is false for failures that end otherwise, however alike they are", () => {
    const trace = Array.from({ length: 20 }, (_, at) => `  in ${"abcdefgh"[at % 8]}.py`).join("\n");
    const failed = (name: string): Step => ({
      ...stepOf({}, `Traceback\n${trace}\nImportError: no name ${name}`),
      failure: { kind: "x" } as Step["failure"],
    });

    expect(compareSteps(failed("store"), failed("store"))).toBe("same");
    expect(compareSteps(failed("store"), failed("extend"))).toBeUndefined();
  });
});

describe("isLikeEarlier", () => {
  /** Pages of the same form, which differ in what stands in the middle. */
  const page = (...lines: string[]) =>
    ["What every page of this handbook begins with, word for word", ...lines, "What every page ends with"].join("\n");

  it("tells whether all that an outcome says stood in earlier ones, be they several", () => {
    const steps = stepsOf(
      [{ page: 1 }, page("the first line", "the second line")],
      [{ page: 2 }, page("the third line", "the fourth line")],
      [{ page: 3 }, page("the third line", "the second line")],
      [{ page: 4 }, page("the third line", "the other line")],
    );

    expect(steps.map((step) => isLikeEarlier(step, steps, "all"))).toEqual([false, false, true, false]);
  });

  it("takes what an outcome repeats of its own call for nothing new, if asked so", () => {
    const steps = stepsOf(
      [{ name: "alpha" }, page("nothing is known of alpha here")],
      [{ name: "gamma" }, page("nothing is known of gamma here")],
      [{ name: "delta" }, page("something is known of delta here")],
    );

    expect(isLikeEarlier(steps[1]!, steps, "all")).toBe(false);
    expect(isLikeEarlier(steps[1]!, steps, "others' words")).toBe(true);
    expect(isLikeEarlier(steps[2]!, steps, "others' words")).toBe(false);
  });

  it("does not take an outcome for an earlier one if it says nothing or is the first", () => {
    const steps = stepsOf(...Array.from({ length: 6 }, (_, at) => [{ at }, at === 5 ? "" : "the same words"] as const));

    expect(steps.map((step) => isLikeEarlier(step, steps, "all"))).toEqual([false, true, true, true, true, false]);
  });
});
