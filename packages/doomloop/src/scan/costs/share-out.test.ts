import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { shareOut } from "./share-out.ts";

it("shares out by weight, and equally where nothing weighs", () => {
  expect(shareOut(100, [1, 3])).toEqual([25, 75]);
  expect(shareOut(10, [0, 0])).toEqual([5, 5]);
  expect(shareOut(10, [])).toEqual([]);
});

it("gives whole parts, none below nothing, that add up to the total", () => {
  const weight = fc.double({ min: 0, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(fc.nat(1e15), fc.array(weight, { minLength: 1, maxLength: 50 }), (total, weights) => {
      const parts = shareOut(total, weights);

      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
      for (const part of parts) expect(Number.isInteger(part) && part >= 0).toBe(true);
    }),
    { numRuns: propertyRuns() },
  );
});
