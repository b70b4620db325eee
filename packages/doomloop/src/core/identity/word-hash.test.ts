import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentWords, hashesOf, wordsOf } from "./argument-words.ts";
import { callIdentity } from "./call-identity.ts";
import { hashWithout } from "./word-hash.ts";

const words = (args: unknown): ArgumentWords => wordsOf(callIdentity("tool", args, platform)!.args);
const units = (text: string) => Uint16Array.from([...text].map((letter) => letter.charCodeAt(0)));
const rest = (args: unknown, text: string) => hashWithout(hashesOf(words(args)), units(text), 0, text.length);

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
    const common = hashesOf(words({ text: "item of 17" }));
    const property = fc.property(name, name, (one, other) => {
      const answer = (word: string) => `item <${word}> of 17: ${word}!`;
      // A word is known by 16 bits: one name in some twenty thousand is taken for a word of the answer.
      fc.pre(![...hashesOf(words({ one, other }))].some((hash) => common.has(hash)));

      expect(rest({ q: one }, answer(one))).toBe(rest({ q: other }, answer(other)));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
