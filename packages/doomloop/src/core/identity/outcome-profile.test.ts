import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { hashesOf, tokensOf } from "./argument-tokens.ts";
import { byteWriter } from "./byte-writer.ts";
import { callDigest } from "./call-digest.ts";
import { describeOutcome } from "./describe-outcome.ts";
import { compareOutcomes, SEGMENT_LENGTH } from "./outcome-profile.ts";

const isSame = (one: string, other: string): boolean => describeOutcome(one).digest === describeOutcome(other).digest;
const difference = (one: string, other: string) => compareOutcomes(describeOutcome(one), describeOutcome(other));

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
    expect(describeOutcome("").segments).toEqual([]);
    expect(isSame("", "\n")).toBe(true);
  });

  it("keeps the segments at both ends of a long text", () => {
    const text = (middle: string, end: string): string => `${"a\n".repeat(40)}${middle}\n${"b\n".repeat(40)}${end}`;

    expect(describeOutcome(text("x", "z")).segments).toHaveLength(32 * SEGMENT_LENGTH);
    expect(difference(text("x", "z"), text("y", "z"))?.similarity).toBe(1);
    expect(difference(text("x", "z"), text("x", "y"))?.similarity).toBeLessThan(1);
  });

  it("holds numbers of 16 bits only", () => {
    for (const number of describeOutcome("a: 1, b = 2; {c: 3}\nd").segments) {
      expect(Number.isInteger(number) && number >= 0 && number < 65_536).toBe(true);
    }
  });
});

describe("compareOutcomes", () => {
  it("finds no difference where there is none", () => {
    expect(difference("a\nb", "a\nb")).toMatchObject({ similarity: 1, isInNumbersOnly: true });
  });

  it("cannot compare outcomes of another form", () => {
    expect(difference("a\nb", "a\nb\nc")).toBeUndefined();
    expect(difference("", "")).toBeUndefined();
  });

  it("finds that nothing but numbers differs, be they noise or news", () => {
    expect(difference("100  1256  40740 done", "100  1256  46577 done")?.isInNumbersOnly).toBe(true);
    expect(difference("3 files copied", "4 files copied")?.isInNumbersOnly).toBe(true);
    expect(difference("3 files copied", "4 files moved")?.isInNumbersOnly).toBe(false);
    expect(difference("three files copied", "four files copied")?.isInNumbersOnly).toBe(false);
    expect(difference("sequence: 17\nfine", "sequence: 18\ngood")?.isInNumbersOnly).toBe(false);
  });

  it("finds that nothing differs but what each repeats of its own call", () => {
    const answer = (name: string, says: string) => {
      callDigest("find", { name }, platform);
      const bytes = new Uint8Array(512);
      const end = byteWriter.copyHead(bytes, 0, bytes.length);
      return describeOutcome(says, hashesOf(tokensOf(bytes, { starts: byteWriter.marks, end })));
    };
    const anna = answer("Anna", "found Anna\nin the cellar");

    expect(compareOutcomes(anna, answer("Carl", "found Carl\nin the cellar"))?.isEchoOnly).toBe(true);
    expect(compareOutcomes(anna, answer("Carl", "found Carl\nin the attic"))?.isEchoOnly).toBe(false);
    expect(compareOutcomes(anna, answer("Carl", "found Dora\nin the cellar"))?.isEchoOnly).toBe(false);
  });

  it("does not ask of excerpts which of them says more", () => {
    const [one, other] = [describeOutcome("a\nb"), describeOutcome("a\nb\nc")];

    expect(compareOutcomes(one, other, false)?.similarity).toBeCloseTo(2 / 3);
  });

  it("finds what moved by a line", () => {
    expect(difference("a\nb\nc\nd\ne", "new\na\nb\nc\nd\nx")?.similarity).toBeCloseTo(4 / 6);
    expect(difference("a\nb\nc\nd", "b\nc\nd\nx")?.similarity).toBe(0.75);
  });

  it("takes what only grew for more, not for the same", () => {
    const list = Array.from({ length: 30 }, (_, line) => `entry ${"abcdefghijklmnopqrstuvwxyzäöüß"[line]}`).join("\n");

    expect(difference(list, `${list}\nentry more`)).toBeUndefined();
    expect(difference(`first\n${list}`, list)).toBeUndefined();
  });

  it("tells the share of equal segments", () => {
    expect(difference("a\nb\nc\nd", "a\nb\nc\nx")?.similarity).toBe(0.75);
  });
});
