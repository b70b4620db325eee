import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentWords, fieldsIn, hashesOf, wordsOf } from "./argument-words.ts";
import { callIdentity } from "./call-identity.ts";

const words = (args: unknown): ArgumentWords => wordsOf(callIdentity("tool", args, platform)!.args);
const wordsIn = (args: unknown) => fieldsIn(words(args)).flatMap((field) => field.words);

/** The stems of each word, in order. */
const stems = (text: string) => wordsIn({ text }).map((word) => word.stems);

describe("wordsOf", () => {
  it("are the words of the values in their order, whatever their case", () => {
    expect(wordsIn({ query: "one two" })).toEqual(wordsIn({ query: "One, TWO" }));
    expect(wordsIn({ query: "one two" })).toEqual(wordsIn({ other: "one", query: "two" }));
    expect(wordsIn({ query: "one two" })).not.toEqual(wordsIn({ query: "two one" }));
    expect(hashesOf(words({ query: "one two" }))).toEqual(hashesOf(words({ query: "two one two" })));
  });

  it("know fields by name and value", () => {
    const [one, other] = [fieldsIn(words({ a: 1, b: "x" })), fieldsIn(words({ a: 2, b: "x" }))];

    expect(one.map(({ name }) => name)).toEqual(other.map(({ name }) => name));
    expect(one[0]!.value).not.toBe(other[0]!.value);
    expect(one[1]!.value).toBe(other[1]!.value);
  });

  it("leave out what is no value of its own: flags and nothing", () => {
    expect(words({ query: "one", exact: true, all: false, none: null })).toEqual(words({ query: "one" }));
    expect(words({ exact: true })).toEqual([]);
    expect(words({})).toEqual([]);
  });

  it("keep what joins the parts of a name together", () => {
    expect(hashesOf(words({ text: "KX-771 snake_case a.ts src/main" })).size).toBe(6);
  });

  it.each([
    ["search", "searches"],
    ["search", "Searching"],
    ["configure", "configuration"],
    ["größe", "größer"],
  ])("have one stem for %j and %j", (one, other) => {
    expect(stems(one)).toEqual(stems(other));
    expect(stems(one)[0]).toHaveLength(1);
  });

  it.each<[string, number]>([
    ["fetchUserById", 2],
    ["fetch_user_by_id", 2],
    ["KX-771", 0],
    ["42", 0],
    ["ab", 0],
    ["one-two-three-four", 3],
    ["HTTPServer", 1],
  ])("have for %j so many stems: %i", (word, count) => {
    expect(stems(word).map((own) => own.length)).toEqual([count]);
  });

  it("know which words have a digit", () => {
    const hasDigit = (text: string) => wordsIn({ text })[0]!.hasDigit;

    expect(["KX-771", "web-3", "42", "web", "fetchUserById"].map(hasDigit)).toEqual([true, true, true, false, false]);
  });

  it("know the parts of a name again, however it is spelt", () => {
    expect(stems("fetchUser")[0]).toEqual(stems("fetch_user")[0]);
    expect(stems("fetchUser")[0]).toEqual(stems("FETCH-USER")[0]);
    expect(stems("fetchUser")[0]).not.toEqual(stems("loadUser")[0]);
  });

  it("are numbers of 16 bits, not many, and end with a whole word, whatever the arguments", () => {
    const property = fc.property(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: "grapheme", maxLength: 900 }),
      (value, text) => {
        const all = words({ value, text });
        const size = (stemsOf: readonly { stems: readonly number[] }[]) =>
          stemsOf.reduce((sum, word) => sum + 2 + word.stems.length, 4);

        expect(fieldsIn(all).reduce((sum, field) => sum + size(field.words), 0)).toBe(all.length);
        expect(all.length).toBeLessThanOrEqual(170);
        expect(all.every((number) => Number.isInteger(number) && number >= 0 && number < 65_536)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
