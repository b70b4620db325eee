import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { type ArgumentWords, wordsOf } from "./argument-words.ts";
import { callIdentity } from "./call-identity.ts";
import { coversNewGround, differInNumbers, sharesValue, similarityOf } from "./likeness.ts";

const words = (args: unknown): ArgumentWords => wordsOf(callIdentity("tool", args, platform)!.args);
const similarity = (one: unknown, other: unknown): number => similarityOf(words(one), words(other));
const question = "how does the scheduler decide which job to run next when all are due?";

describe("similarityOf", () => {
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
    const [one, other] = [words({ query: question, a: 1 }), words({ query: `${question}!`, b: 2 })];

    expect(similarityOf(one, other)).toBe(similarityOf(other, one));
  });

  it("is high for other forms of the same words", () => {
    expect(similarity({ query: "Search limits of users" }, { query: "searching: limit of user" })).toBeGreaterThan(0.7);
  });

  it("goes by how often a word is there", () => {
    expect(similarity({ query: "one two" }, { query: "one one one one" })).toBeLessThan(0.4);
  });

  it("looks at a few fields, and at what is kept of them", () => {
    const first = { a: "one", b: "two", c: "three", d: "four" };

    expect(similarity({ ...first, e: "five" }, { ...first, e: "six" })).toBe(1);
    expect(similarity({ text: `${"x ".repeat(2000)}a` }, { text: `${"x ".repeat(2000)}b` })).toBe(1);
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
    expect(coversNewGround(words(one), words(other))).toBe(true);
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
    expect(coversNewGround(words(one), words(other))).toBe(false);
  });
});

describe("sharesValue", () => {
  it("is so where a field of the same name holds the same", () => {
    expect(sharesValue(words({ a: "one", b: 2 }), words({ a: "other", b: 2 }))).toBe(true);
    expect(sharesValue(words({ a: "one" }), words({ b: "one" }))).toBe(false);
    expect(sharesValue(words({ a: 1 }), words({ a: 2 }))).toBe(false);
    expect(sharesValue(words({}), words({}))).toBe(false);
  });
});

describe("differInNumbers", () => {
  it.each([
    [{ text: "take 3 of them" }, { text: "take 4 of them" }, true],
    [{ name: "a", size: 3 }, { name: "a", size: 4 }, true],
    [{ text: "take 3 of them" }, { text: "take 3 of them" }, false],
    [{ text: "take 3 of them" }, { text: "take 4 of these" }, false],
    [{ text: "take 3 of them" }, { text: "take 4" }, false],
    [{ text: "web-3" }, { text: "web-4" }, false],
  ])("between %j and %j is %s", (one, other, expected) => {
    expect(differInNumbers(words(one), words(other))).toBe(expected);
  });
});
