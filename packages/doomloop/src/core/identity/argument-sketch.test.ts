import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { type ArgumentSketch, argumentSimilarity, coversNewGround, sketchArguments } from "./argument-sketch.ts";
import { byteWriter } from "./byte-writer.ts";
import { callDigest } from "./call-digest.ts";

function sketch(args: unknown): ArgumentSketch {
  callDigest("tool", args, platform);
  const bytes = new Uint8Array(512);
  const end = byteWriter.copyHead(bytes, 0, bytes.length);
  return sketchArguments(bytes.subarray(0, end), { starts: byteWriter.marks, end });
}

const similarity = (one: unknown, other: unknown): number => argumentSimilarity(sketch(one), sketch(other));
const question = "how does the scheduler decide which job to run next when all are due?";

describe("argumentSimilarity", () => {
  it("is 1 for equal arguments, in any order", () => {
    expect(similarity({ a: 1, b: "text" }, { b: "text", a: 1 })).toBe(1);
    expect(similarity({}, {})).toBe(1);
    expect(similarity(question, question)).toBe(1);
  });

  it("is high for a question in nearly the same words", () => {
    expect(similarity({ query: question }, { query: `${question} please` })).toBeGreaterThan(0.8);
    expect(similarity({ query: `${question} (1)` }, { query: `${question} (27)` })).toBeGreaterThan(0.9);
  });

  it("is low for another question", () => {
    expect(
      similarity({ query: question }, { query: "list all users that signed up during the last week" }),
    ).toBeLessThan(0.4);
  });

  it("is the mean over the fields of both", () => {
    expect(similarity({ a: "same text", b: "x1" }, { a: "same text" })).toBe(0.5);
    expect(similarity({ a: "same text" }, { b: "same text" })).toBe(0);
  });

  it("takes another element for another thing, though its name differs in a digit only", () => {
    expect(similarity({ element: "a324" }, { element: "a325" })).toBe(0);
  });

  it("takes another number for another thing", () => {
    expect(similarity({ id: 12_345 }, { id: 12_346 })).toBe(0);
    expect(similarity({ id: "12345" }, { id: "12346" })).toBe(0);
  });

  it("is the same both ways", () => {
    const [one, other] = [sketch({ query: question, a: 1 }), sketch({ query: `${question}!`, b: 2 })];

    expect(argumentSimilarity(one, other)).toBe(argumentSimilarity(other, one));
  });

  it("looks at a few fields, and at what fits of them", () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, `value ${at}`]));

    expect(sketch(many).length).toBeLessThanOrEqual(5 * 15);
    expect(similarity({ text: `${"x".repeat(2000)}a` }, { text: `${"x".repeat(2000)}b` })).toBe(1);
  });

  it("holds numbers of 16 bits only", () => {
    for (const number of sketch({ query: question, a: [1, 2], "": "" })) {
      expect(Number.isInteger(number) && number >= 0 && number < 65_536).toBe(true);
    }
  });
});

describe("coversNewGround", () => {
  it.each([
    [
      { path: "a", offset: 0 },
      { path: "a", offset: 100 },
    ],
    [
      { path: "a", page: 1 },
      { path: "a", page: 2 },
    ],
    [
      { path: "a", cursor: "x" },
      { path: "a", cursor: "y" },
    ],
    [
      { path: "a", view_range: [1, 9] },
      { path: "a", view_range: [10, 19] },
    ],
    [{ path: "a", offset: 5 }, { path: "a" }],
  ])("is so between %j and %j", (one, other) => {
    expect(coversNewGround(sketch(one), sketch(other))).toBe(true);
  });

  it.each([
    [
      { path: "a", offset: 0 },
      { path: "a", offset: 0 },
    ],
    [{ path: "a" }, { path: "b" }],
    [{ query: "a" }, { query: "b" }],
    [{}, {}],
  ])("is not so between %j and %j", (one, other) => {
    expect(coversNewGround(sketch(one), sketch(other))).toBe(false);
  });
});
