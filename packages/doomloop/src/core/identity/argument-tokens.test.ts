import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentTokens, HAS_DIGIT, hashesOf, hashWithout, stemsAt, tokensOf } from "./argument-tokens.ts";
import { byteWriter } from "./byte-writer.ts";
import { callDigest } from "./call-digest.ts";

function tokens(args: unknown): ArgumentTokens {
  callDigest("tool", args, platform);
  const bytes = new Uint8Array(4096);
  const end = byteWriter.copyHead(bytes, 0, bytes.length);
  return tokensOf(bytes, { starts: byteWriter.marks, end });
}

/** The stems of each word, in order. */
function stems(text: string): number[][] {
  const all = tokens({ text });
  const found: number[][] = [];
  for (let at = 0; at < all.length; at += 2 + stemsAt(all, at))
    found.push(all.slice(at + 2, at + 2 + stemsAt(all, at)));
  return found;
}

const units = (text: string) => Uint16Array.from([...text].map((letter) => letter.charCodeAt(0)));
const rest = (args: unknown, text: string) => hashWithout(hashesOf(tokens(args)), units(text), 0, text.length);

describe("tokensOf", () => {
  it("are the words of the values in their order, whatever their case", () => {
    expect(tokens({ query: "one two" })).toEqual(tokens({ query: "One, TWO" }));
    expect(tokens({ query: "one two" })).toEqual(tokens({ other: "one", query: "two" }));
    expect(tokens({ query: "one two" })).not.toEqual(tokens({ query: "two one" }));
    expect(hashesOf(tokens({ query: "one two" }))).toEqual(hashesOf(tokens({ query: "two one two" })));
  });

  it("leave out what is no value of its own: flags and nothing", () => {
    expect(tokens({ query: "one", exact: true, all: false, none: null })).toEqual(tokens({ query: "one" }));
    expect(tokens({ exact: true })).toEqual([]);
    expect(tokens({})).toEqual([]);
  });

  it("keep what joins the parts of a name together", () => {
    expect(hashesOf(tokens({ text: "KX-771 snake_case a.ts src/main" })).size).toBe(6);
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
    const hasDigit = (text: string) => (tokens({ text })[1]! & HAS_DIGIT) !== 0;

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
        const all = tokens({ value, text });
        let at = 0;
        while (at < all.length) at += 2 + stemsAt(all, at);

        expect(at).toBe(all.length);
        expect(all.length).toBeLessThanOrEqual(100);
        expect(all.every((number) => Number.isInteger(number) && number >= 0 && number < 65_536)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("hashWithout", () => {
  it("is the same for answers that differ in the words of their question", () => {
    expect(rest({ name: "alpha" }, "no symbol alpha here")).toBe(rest({ name: "beta" }, "no symbol Beta here"));
    expect(rest({ name: "alpha" }, "no symbol alpha here")).not.toBe(rest({ name: "beta" }, "no symbol alpha here"));
  });

  it.each([
    ["another word", "no symbol alpha here", "no symbol alpha there"],
    ["another number", "3 rows", "4 rows"],
    ["the order", "one two", "two one"],
    ["a word of the question less", "alpha is alpha", "alpha is"],
  ])("tells answers apart that differ in %s", (_what, one, other) => {
    expect(rest({ name: "alpha" }, one)).not.toBe(rest({ name: "alpha" }, other));
  });

  it("does not see white space, marks or case", () => {
    expect(rest({}, "One  two.")).toBe(rest({}, " one, TWO"));
    expect(rest({}, "")).toBe(rest({}, " . "));
  });

  it("reads the part of a text that it is told to", () => {
    const text = units("xx one two yy");

    expect(hashWithout(new Set(), text, 3, 10)).toBe(hashWithout(new Set(), units("one two"), 0, 7));
  });

  it("is the same whatever single name a question and its answer share", () => {
    const name = fc.stringMatching(/^[a-z]{3,12}$/);
    const common = hashesOf(tokens({ text: "item of 17" }));
    const property = fc.property(name, name, (one, other) => {
      const answer = (word: string) => `item <${word}> of 17: ${word}!`;
      // A word is known by 16 bits: one name in some twenty thousand is taken for a word of the answer.
      fc.pre(![...hashesOf(tokens({ one, other }))].some((hash) => common.has(hash)));

      expect(rest({ q: one }, answer(one))).toBe(rest({ q: other }, answer(other)));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
