import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { argumentSimilarity } from "../identity/argument-sketch.ts";
import { hashesOf } from "../identity/argument-tokens.ts";
import { callDigest } from "../identity/call-digest.ts";
import { createOutcomeViews, type OutcomeViews } from "./outcome-views.ts";

function keep(views: OutcomeViews, index: number, args: unknown, output: string): void {
  callDigest("tool", args, platform);
  views.keepArguments(index);
  views.keepOutcome(index, output, output.length);
}

describe("createOutcomeViews", () => {
  it("compares the latest steps by their arguments and outcomes", () => {
    const views = createOutcomeViews();
    keep(views, 0, { query: "the first question of all" }, "at 12:00:01");
    keep(views, 1, { query: "the first question of all" }, "at 12:00:02");

    expect(argumentSimilarity(views.argumentsOf(0)!, views.argumentsOf(1)!)).toBe(1);
    expect(views.outcomeOf(0)?.digest).toBe(views.outcomeOf(1)?.digest);
  });

  it("forgets steps that are too long ago", () => {
    const views = createOutcomeViews();
    for (let at = 0; at < 100; at++) keep(views, at, { at }, `${at}`);

    expect(views.argumentsOf(0)).toBeUndefined();
    expect(views.outcomeOf(0)).toBeUndefined();
    expect(views.argumentsOf(99)).toBeDefined();
    expect(views.outcomeOf(99)).toBeDefined();
  });

  it("knows no outcome of a step that has none, or whose place was taken", () => {
    const views = createOutcomeViews();
    keep(views, 0, {}, "words");
    callDigest("tool", {}, platform);
    views.keepArguments(1);
    views.keepOutcome(500, "of a step that was never kept", 9);

    expect(views.outcomeOf(1)).toBeUndefined();
    expect(views.outcomeOf(500)).toBeUndefined();
  });

  it("tells whether it saw the whole of an output", () => {
    const views = createOutcomeViews();
    keep(views, 0, {}, "short");
    keep(views, 1, {}, "long ".repeat(10_000));
    callDigest("tool", {}, platform);
    views.keepArguments(2);
    views.keepOutcome(2, "cut by the host", 9000);

    expect([0, 1, 2].map((index) => views.outcomeOf(index)?.isWhole)).toEqual([true, false, false]);
    expect(views.outcomeOf(2)?.length).toBe(9000);
  });

  it("sees whole lines of a long output, so that a line more in the middle shows nowhere", () => {
    const views = createOutcomeViews();
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${"abcdefgh"[at % 8]} of the page`);
    keep(views, 0, {}, [...lines(80), "one line in the middle", ...lines(80)].join("\n"));
    keep(views, 1, {}, [...lines(80), "another line, a good deal longer, in the middle", ...lines(80)].join("\n"));

    expect(views.outcomeOf(0)?.digest).toBe(views.outcomeOf(1)?.digest);
  });

  it("sees the beginning alone of an output that the host has cut", () => {
    const views = createOutcomeViews();
    for (const [index, end] of ["one end", "another end"].entries()) {
      callDigest("tool", {}, platform);
      views.keepArguments(index);
      views.keepOutcome(index, `${"a line of the page\n".repeat(200)}${end}`, 20_000 + index);
    }

    expect(views.outcomeOf(0)?.digest).toBe(views.outcomeOf(1)?.digest);
  });

  it("knows the words of arguments in their order, also when they were saved, and the first of very many", () => {
    const views = createOutcomeViews();
    keep(views, 0, { query: "one two" }, "");
    keep(views, 1, { query: "two one" }, "");
    keep(views, 2, { query: "one two", flag: true }, "");
    keep(views, 3, { query: "word ".repeat(200) }, "");

    for (const some of [views, createOutcomeViews(JSON.parse(JSON.stringify(views.save())))]) {
      expect(some.tokensOf(0)).not.toEqual(some.tokensOf(1));
      expect(hashesOf(some.tokensOf(0)!)).toEqual(hashesOf(some.tokensOf(1)!));
      expect(some.tokensOf(2)).toEqual(some.tokensOf(0));
      expect(hashesOf(some.tokensOf(3)!).size).toBe(1);
      expect(some.tokensOf(4)).toBeUndefined();
    }
  });

  /** Pages of the same form, which differ in what stands in the middle. */
  const page = (...lines: string[]) =>
    ["What every page of this handbook begins with, word for word", ...lines, "What every page ends with"].join("\n");

  it("tells whether all that an outcome says stood in earlier ones, be they several", () => {
    const views = createOutcomeViews();
    keep(views, 0, { page: 1 }, page("the first line", "the second line"));
    keep(views, 1, { page: 2 }, page("the third line", "the fourth line"));
    keep(views, 2, { page: 3 }, page("the third line", "the second line"));
    keep(views, 3, { page: 4 }, page("the third line", "the other line"));

    expect([0, 1, 2, 3].map((index) => views.isLikeEarlier(index, "all"))).toEqual([false, false, true, false]);
  });

  it("takes what an outcome repeats of its own call for nothing new, if asked so", () => {
    const views = createOutcomeViews();
    keep(views, 0, { name: "alpha" }, page("nothing is known of alpha here"));
    keep(views, 1, { name: "gamma" }, page("nothing is known of gamma here"));
    keep(views, 2, { name: "delta" }, page("something is known of delta here"));

    expect(views.isLikeEarlier(1, "all")).toBe(false);
    expect(views.isLikeEarlier(1, "others' words")).toBe(true);
    expect(views.isLikeEarlier(2, "others' words")).toBe(false);
  });

  it("takes no outcome that says nothing, or is too long ago, for one that stood earlier", () => {
    const views = createOutcomeViews();
    for (let at = 0; at < 30; at++) keep(views, at, { at }, at === 29 ? "" : "the same words");

    expect(views.isLikeEarlier(29, "all")).toBe(false);
    expect(views.isLikeEarlier(0, "all")).toBe(false);
    expect(views.isLikeEarlier(28, "all")).toBe(true);
  });

  it("tells whether outputs end alike, whatever numbers and white space stand there", () => {
    const views = createOutcomeViews();
    keep(views, 0, {}, "Traceback\nImportError: no name 'Store' (line 1)\n");
    keep(views, 1, {}, "Traceback\nImportError: no name 'Store' (line 22)");
    keep(views, 2, {}, "Traceback\nImportError: no name 'Extend' (line 1)");

    for (const some of [views, createOutcomeViews(JSON.parse(JSON.stringify(views.save())))]) {
      expect(some.endAlike(0, 1)).toBe(true);
      expect(some.endAlike(0, 2)).toBe(false);
      expect(some.endAlike(0, 3)).toBe(false);
    }
  });

  it("keeps nothing of an earlier step in a place that was taken", () => {
    const views = createOutcomeViews();
    for (let at = 0; at < 24; at++) keep(views, at, {}, "some words");
    callDigest("tool", {}, platform);
    views.keepArguments(24);
    const saved = views.save();

    expect(createOutcomeViews(JSON.parse(JSON.stringify(saved))).save()).toEqual(saved);
  });

  it("sees the end of a long output", () => {
    const views = createOutcomeViews();
    keep(views, 0, {}, `${"line\n".repeat(5000)}one`);
    keep(views, 1, {}, `${"line\n".repeat(5000)}two`);

    expect(views.outcomeOf(0)?.digest).not.toBe(views.outcomeOf(1)?.digest);
  });

  it("saves no text, and goes on from where it was saved", () => {
    const views = createOutcomeViews();
    for (let at = 0; at < 30; at++) keep(views, at, { query: `secret ${at}` }, `secret answer ${at}`);
    const saved = JSON.stringify(views.save());
    const resumed = createOutcomeViews(JSON.parse(saved));

    expect(saved).not.toContain("secret");
    for (let at = 0; at < 30; at++) {
      expect(resumed.argumentsOf(at)).toEqual(views.argumentsOf(at));
      expect(resumed.outcomeOf(at)).toEqual(views.outcomeOf(at));
    }
    expect(JSON.stringify(resumed.save())).toBe(saved);
  });
});
