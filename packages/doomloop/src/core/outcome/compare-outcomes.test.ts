import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { hashesOf, wordsOf } from "../identity/argument-words.ts";
import { callIdentity } from "../identity/call-identity.ts";
import { compareOutcomes, isOfLength, type OutcomeProfile, type Part, stands } from "./compare-outcomes.ts";
import { describeOutcome } from "./describe-outcome.ts";

/** The hashes of an outcome's segments, behind that of the whole. */
const piecesOf = ({ segments }: OutcomeProfile, part: Part): readonly string[] =>
  Array.from({ length: (segments.length - 2) / 4 }, (_, at) => {
    const from = 2 + 4 * at + (part === "all" ? 0 : 2);
    return segments.slice(from, from + 2).join();
  });
const isSame = (one: string, other: string): boolean => describeOutcome(one).digest === describeOutcome(other).digest;
const likeness = (one: string, other: string) => compareOutcomes(describeOutcome(one), describeOutcome(other));

describe("describeOutcome", () => {
  it.each([
    ["a clock", "done at 12:00:01", "done at 23:59:59"],
    ["a duration", "took 12ms", "took 9ms"],
    ["a duration of two words", "Finished in 3.2 seconds", "Finished in 12.9 seconds"],
    ["an id", "trace 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "trace 11111111-4f89-41d3-9a0c-0305e82c3301"],
    ["a process", "[4711] ended", "[12] ended"],
    ["an address", "<a at 0x7f3a9c>", "<a at 0x11aa22bb>"],
    ["a port", "on localhost:3000", "on localhost:41234"],
    ["a temporary path", "see /tmp/abc/log", "see /tmp/xyz/log"],
    ["white space", "a  b\tc", "a b c"],
    ["a full stop behind a time", "It is 12:00:01.", "It is 12:00:02."],
  ])("masks %s", (_, one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    ["a count", "3 rows", "4 rows"],
    ["a word", "yes", "no"],
    ["a path", "see src/a.ts", "see src/b.ts"],
    ["a version", "version 1.2.3", "version 1.2.4"],
    ["another line", "a", "a\nb"],
    ["order", "a\nb", "b\na"],
    ["case", "Yes", "yes"],
    ["letters beyond ASCII", "größe", "grösse"],
    ["a short number in brackets without them", "[4]", "4"],
  ])("does not mask %s", (_, one, other) => {
    expect(isSame(one, other)).toBe(false);
  });

  it("describes nothing as nothing", () => {
    expect(piecesOf(describeOutcome(""), "all")).toEqual([]);
    expect(isSame("", "\n")).toBe(true);
  });

  it("keeps the segments at both ends of a long text", () => {
    const text = (middle: string, end: string): string => `${"a\n".repeat(40)}${middle}\n${"b\n".repeat(40)}${end}`;
    const pieces = (middle: string, end: string) => piecesOf(describeOutcome(text(middle, end)), "all");

    expect(pieces("x", "z")).toHaveLength(32);
    expect(pieces("y", "z")).toEqual(pieces("x", "z"));
    expect(pieces("x", "y")).not.toEqual(pieces("x", "z"));
  });

  it("holds numbers of 16 bits only", () => {
    for (const number of describeOutcome("a: 1, b = 2; {c: 3}\nd").segments) {
      expect(Number.isInteger(number) && number >= 0 && number < 65_536).toBe(true);
    }
  });

  it("takes an answer that is nothing but an id for what was asked for", () => {
    const pieces = (text: string) => piecesOf(describeOutcome(text), "all");
    const [one, other] = ["0d1e201ac67b5a979c52f42eb8dd3702  -\n", "3a035630e17f619784db35903ac6e025  -\n"];

    expect(pieces(one)).not.toEqual(pieces(other));
    expect(pieces(`sum ${one}`)).toEqual(pieces(`sum ${other}`));
    expect(pieces(one)).toEqual(pieces(one.trim()));
  });
});

describe("compareOutcomes", () => {
  const lines = "abcdefghijklmnopqrst".split("");

  it("finds the same in substance", () => {
    expect(likeness("a\nb", "a\nb")).toBe("same");
    expect(likeness("a at 12:30\nb", "a at 12:31\nb")).toBe("same");
  });

  it("takes excerpts for similar at most", () => {
    expect(compareOutcomes(describeOutcome("a\nb"), describeOutcome("a\nb"), false)).toBe("similar");
  });

  it("finds similar what shares nine segments in ten, wherever they stand", () => {
    expect(likeness(lines.join("\n"), ["x", "y", ...lines.slice(2)].join("\n"))).toBe("similar");
    expect(likeness(lines.join("\n"), [...lines.slice(2), "x", "y"].join("\n"))).toBe("similar");
    expect(likeness(lines.join("\n"), ["x", "y", "z", ...lines.slice(3)].join("\n"))).toBeUndefined();
  });

  it("counts every place of a list in JSON", () => {
    const page = (after: string) => `{"list": [{"a": 1}, {"b": 2}, {"c": 3}, {"d": 4}], "x": 1, "after": "${after}"}`;

    expect(likeness(page("c_9fA2kq"), page("c_7Lm0xz"))).toBe("similar");
  });

  it("takes what only grew for more, not for the same", () => {
    const text = lines.join("\n");

    expect(likeness(text, `${text}\nmore`)).toBeUndefined();
    expect(likeness(`first\n${text}`, text)).toBeUndefined();
    expect(compareOutcomes(describeOutcome(text), describeOutcome(`${text}\nmore`), false)).toBe("similar");
  });

  it("cannot compare outcomes of another form", () => {
    expect(likeness("a\nb", "a\nb\nc\nd")).toBeUndefined();
    expect(likeness("", "a")).toBeUndefined();
  });

  it("finds that nothing but numbers differs", () => {
    expect(likeness("100  1256  40740 done", "100  1256  6577 done")).toBe("numbers");
    expect(likeness("3 files copied", "4 files moved")).toBeUndefined();
    expect(likeness("three files copied", "four files copied")).toBeUndefined();
    expect(likeness("sequence: 17\nfine", "sequence: 18\ngood")).toBeUndefined();
  });
});

describe("isOfLength", () => {
  it("allows for two in a hundred, and for some slack", () => {
    expect([isOfLength(1000, 1020), isOfLength(1000, 1021), isOfLength(10, 26, 16), isOfLength(10, 27, 16)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe("stands", () => {
  const [known, other, all] = ["one line\nand two", "and three", "and three\none line"].map((text) =>
    describeOutcome(text),
  );

  it("is true where every segment was said before, by whichever", () => {
    expect(stands(all!, [known!, other!], "all")).toBe(true);
    expect(stands(all!, [known!], "all")).toBe(false);
    expect(stands(all!, [], "all")).toBe(false);
  });

  it("leaves out what an answer repeats of its call", () => {
    const own = (word: string) => hashesOf(wordsOf(callIdentity("find", { word }, platform)!.args));
    const anna = describeOutcome("no Anna here", own("Anna"));
    const carl = describeOutcome("no Carl here", own("Carl"));

    expect(stands(carl, [anna], "all")).toBe(false);
    expect(stands(carl, [anna], "others' words")).toBe(true);
  });
});
