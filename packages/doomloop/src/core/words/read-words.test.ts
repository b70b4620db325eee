import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { beginReading, endedWord, readWords } from "./read-words.ts";

/** The words of a text as [word, characters], and the last without. */
function wordsOf(...pieces: string[]): [number, number?][] {
  const reading = beginReading();
  const words: [number, number?][] = [];
  for (const piece of pieces) readWords(reading, piece, (word, length) => words.push([word, length]));
  const last = endedWord(reading.kind, reading.word);
  return last === 0 ? words : [...words, [last]];
}

const hashesOf = (text: string) => wordsOf(text).map(([word]) => word);
const lengthsOf = (text: string) => wordsOf(text).map(([, length]) => length);

describe("readWords", () => {
  it("tells words apart, and knows them again", () => {
    const [one, other, again] = hashesOf("tree root tree");

    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });

  it("tells the lowest bits of numbers", () => {
    expect(hashesOf("0 1 17 255 256 1000000")).toEqual([-1, -2, -18, -256, -1, -65]);
  });

  it.each([
    ["spaces", "a   b\n\n\nc", 3],
    ["marks", "--a -- b!?", 2],
    ["marks of other scripts", "我，她。「你」", 3],
    ["drawn lines", "│ a ─── b ┤", 2],
    ["digits in words", "v2beta", 3],
    ["letters that stand alone", "我需要", 3],
    ["accents", "größe élan", 2],
    ["nothing", " \n ", 0],
    ["letters without end", "a".repeat(50), 4],
  ])("reads %s", (_what, text, count) => {
    expect(hashesOf(text)).toHaveLength(count);
  });

  it("counts a run of white space, of digits or of one mark as one character", () => {
    expect(lengthsOf("ab   cd\n\n2024 == .")).toEqual([2, 3, 2]);
  });

  it("reads the end of a piece that is too long", () => {
    expect(wordsOf("a ".repeat(40_000)).length).toBe(8192);
  });

  it("reads the same words however a text is cut", () => {
    const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("ab", "12", "  ", "--", "我"));
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(wordsOf(...pieces)).toEqual(wordsOf(pieces.join("")));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
