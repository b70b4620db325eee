import { describe, expect, it } from "vitest";
import { ENDINGS, VOCABULARY } from "../../packages/doomloop/src/scan/redact/vocabulary.ts";
import { OPEN, textsOfPattern } from "../../scripts/generated/vocabulary.ts";

const textsOf = (pattern: string): string[] => [...textsOfPattern(pattern)].sort();
const plain = (...texts: string[]): string[] => texts.map((text) => OPEN + text + OPEN).sort();

describe("textsOfPattern", () => {
  it.each([
    ["fail(?:ed|ure)?", plain("fail", "failed", "failure")],
    ["initiali[sz]ing", plain("initialising", "initializing")],
    ["cancell?ed", plain("cancelled", "canceled")],
    ["no such file", plain("no such file")],
    ["a{2}b+c*", plain("ab", "abc")],
    ["(?<=x)(?!y)z", plain("xyz")],
  ])("reads %s", (pattern, texts) => {
    expect(textsOf(pattern)).toEqual(texts);
  });

  it("says where letters are left open", () => {
    expect(textsOf(String.raw`^still \w{1,20}ing\b`)).toEqual(plain(` still ${OPEN}ing `));
    expect(textsOf("[a-z]{3}x")).toEqual(plain(`${OPEN}x`));
  });

  it("refuses what it cannot read to the end", () => {
    expect(() => textsOfPattern("a)b")).toThrow("cannot read a)b");
  });
});

describe("the vocabulary", () => {
  it.each(["error", "denied", "pytest", "kubectl", "running", "path", "doomloop", "times"])("knows %s", (word) => {
    expect(VOCABULARY.has(word)).toBe(true);
  });

  it("holds words alone, in small letters", () => {
    expect([...VOCABULARY, ...ENDINGS].filter((word) => !/^[a-z0-9]{2,24}$/.test(word))).toEqual([]);
    expect(ENDINGS.has("ing")).toBe(true);
  });
});
