import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { limitHere, lowestCostMs } from "../../../../test/shortest-time.ts";
import { changedPart } from "./changed-part.ts";
import { diffLines } from "./diff-lines.ts";
import { foldLines } from "./fold-lines.ts";

/** Texts are slow to make: a twentieth of what is asked for. */
const RUNS = Math.ceil(propertyRuns() / 20);
const texts = fc.array(fc.constantFrom("a", "b", "c", "")).map((lines) => lines.join("\n"));

describe("the difference of two texts", () => {
  it("holds both texts, whatever they are", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before, after);
        const without = (type: string) =>
          lines
            .filter((line) => line.type !== type)
            .map(({ text }) => text)
            .join("\n");
        expect([without("added"), without("removed")]).toEqual([before, after]);
      }),
      { numRuns: RUNS },
    );
  });

  it("is as short as it can be", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const changes = diffLines(before, after).filter(({ type }) => type !== "same").length;
        expect(changes).toBe(distance(before.split("\n"), after.split("\n")));
      }),
      { numRuns: RUNS },
    );
  });

  it("ends soon where everything differs", () => {
    const lines = (sign: string) => Array.from({ length: 20_000 }, (_, index) => `${sign}${index}`).join("\n");
    const [before, after] = [lines("a"), lines("b")];
    const limitMs = limitHere(2_000);

    expect(diffLines(before, after).length).toBe(4_000);
    expect(lowestCostMs(() => void diffLines(before, after), limitMs)).toBeLessThan(limitMs);
  });
});

describe("folded lines", () => {
  it("leave out what is far from a change", () => {
    const text = Array.from({ length: 20 }, (_, index) => `${index}`);
    const lines = foldLines(diffLines(text.join("\n"), text.with(10, "new").join("\n")));

    expect(lines[0]).toEqual({ type: "fold", lines: 8 });
    expect(lines.at(-1)).toEqual({ type: "fold", lines: 7 });
    expect(lines.length).toBe(8);
  });

  it("do not hide one or two lines", () => {
    expect(foldLines(diffLines("1\n2\n3\n4\nx", "1\n2\n3\n4\ny")).some(({ type }) => type === "fold")).toBe(false);
  });
});

describe("the changed part of a line", () => {
  it("is what lies between what is shared", () => {
    expect(changedPart("limit 4 of 9", "limit 55 of 9")).toEqual({
      start: "limit ",
      before: "4",
      after: "55",
      end: " of 9",
    });
  });

  it("does not share a character twice, nor cut one in two", () => {
    expect(changedPart("aa", "aaa")).toEqual({ start: "aa", before: "", after: "a", end: "" });
    expect(changedPart("😀", "😁")).toEqual({ start: "", before: "😀", after: "😁", end: "" });
  });
});

/** Insertions and removals, by the plain table. */
function distance(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, line] of one.entries()) {
    const next = [at + 1];
    for (const [index, text] of other.entries()) {
      next.push(line === text ? row[index]! : 1 + Math.min(row[index + 1]!, next[index]!));
    }
    row = next;
  }
  return row.at(-1)!;
}
