import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { noteLines, type ToldLines } from "./told-lines.ts";

const LISTING = ["src/open.ts: export function open()", "src/close.ts: export function close()", "src/read.ts: read()"];

/** How many pieces of each text are new, one text after the other. */
function freshIn(...texts: readonly string[]): number[] {
  const told: ToldLines = { marks: [] };
  return texts.map((text) => noteLines(told, text).fresh);
}

describe("noteLines", () => {
  it("counts the pieces of a text, and those that were never told", () => {
    const told: ToldLines = { marks: [] };

    expect(noteLines(told, LISTING.join("\n"))).toEqual({ pieces: 3, fresh: 3 });
    expect(noteLines(told, [...LISTING, "src/write.ts: write()"].join("\n"))).toEqual({ pieces: 4, fresh: 1 });
    expect(noteLines(told, LISTING.join("\n"))).toEqual({ pieces: 3, fresh: 0 });
  });

  it.each<[string, string, string]>([
    ["in another order", LISTING.join("\n"), LISTING.toReversed().join("\n")],
    ["in part", LISTING.join("\n"), LISTING[1]!],
    ["under other line numbers", "12: export function open()", "340: export function open()"],
    ["with other spaces", "  export function open()", "export\tfunction  open()"],
    ["in a list of one line", "open the door\nclose the door", "close the door, open the door"],
    ["in a text of JSON", "open the door\nclose the door", '"open the door\\nclose the door'],
    ["but for a score", "open the door\nscore 17", "open the door\nscore 95"],
    ["but for what says nothing", "open the door\n--- ---", "open the door\n=== 7 ===\nab"],
  ])("takes nothing for new that was told before: %s", (_how, before, again) => {
    expect(freshIn(before, again)[1]).toBe(0);
  });

  it.each<[string, string, string]>([
    ["another word", "open the door", "close the door"],
    ["another number in a sentence", "the door is open for 5 hours", "the door is open for 6 hours"],
    ["more of a line", "open the door", "open the door of the house"],
    ["other letters than ours", "Öffne die Tür", "Öffne das Tor"],
  ])("takes %s for new", (_how, before, again) => {
    expect(freshIn(before, again)[1]).toBe(1);
  });

  it("takes a line told twice in one text for new once", () => {
    expect(noteLines({ marks: [] }, "open the door\nopen the door")).toEqual({ pieces: 2, fresh: 1 });
  });

  it("has no pieces in what says nothing", () => {
    for (const text of ["", "\n\n", "ok", "17", "a, b, c", "x1234"])
      expect(noteLines({ marks: [] }, text).pieces).toBe(0);
  });

  it("remembers much, forgets the oldest and keeps as much however much it is told", () => {
    const told: ToldLines = { marks: [] };
    const word = (at: number) => [...String(at)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `the line that is called ${word(from + at)}`).join("\n");
    noteLines(told, lines(0, 100));

    expect(noteLines(told, lines(0, 100)).fresh).toBeLessThan(20);
    noteLines(told, lines(1_000, 20_000));
    expect(noteLines(told, lines(0, 100)).fresh).toBeGreaterThan(80);
    expect(told.marks).toHaveLength(1024);
  });

  it("reads any text, and takes nothing of it for new a second time, as far as it remembers", () => {
    const property = fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const told: ToldLines = { marks: [] };
      const first = noteLines(told, text);

      expect(first.fresh).toBeLessThanOrEqual(first.pieces);
      expect(noteLines(structuredClone(told), text).pieces).toBe(first.pieces);
      if (first.pieces === 1) expect(noteLines(told, text).fresh).toBe(0);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
