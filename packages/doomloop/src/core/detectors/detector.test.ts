import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { loopIdentity } from "./detector.ts";

const parts = fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 6 });

describe("loopIdentity", () => {
  it("is 32 hexadecimal digits, the same for the same parts", () => {
    expect(loopIdentity("repeated-call", "x")).toMatch(/^[0-9a-f]{32}$/);
    expect(loopIdentity("repeated-call", "x")).toBe(loopIdentity("repeated-call", "x"));
  });

  it("differs for different parts, also where they join to the same text", () => {
    const property = fc.property(parts, parts, (one, other) => {
      const areSame = JSON.stringify(one) === JSON.stringify(other);

      expect(loopIdentity(...one) === loopIdentity(...other)).toBe(areSame);
    });
    fc.assert(property, { numRuns: propertyRuns() });
    expect(loopIdentity("ab", "c")).not.toBe(loopIdentity("a", "bc"));
    expect(loopIdentity("a")).not.toBe(loopIdentity("a", ""));
  });
});
