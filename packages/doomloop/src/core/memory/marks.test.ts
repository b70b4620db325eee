import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createMarks, isMarked, mark } from "./marks.ts";

describe("marks", () => {
  it("know every call of a cycle again in the next lap, however the hashes fall", () => {
    const hashes = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 60 });
    const property = fc.property(hashes, (lap) => {
      const marks = createMarks();
      for (const hash of lap) mark(marks, hash);
      expect(lap.filter((hash) => mark(marks, hash))).toEqual([]);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("take the same room however many there are, and go on from a plain list", () => {
    const marks = createMarks();
    for (let hash = 0; hash < 50_000; hash++) mark(marks, Math.imul(hash, 0x9e3779b1));
    const again = { marks: JSON.parse(JSON.stringify([...marks.marks])) as number[] };

    expect(marks.marks).toHaveLength(1024);
    expect(isMarked(again, Math.imul(49_999, 0x9e3779b1))).toBe(true);
    expect(mark(again, Math.imul(49_999, 0x9e3779b1))).toBe(false);
    expect(again.marks).toHaveLength(1024);
  });
});
