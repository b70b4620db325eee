import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { areAlike, likeness, stemsOf } from "./stems.ts";

describe("stemsOf", () => {
  it.each([
    ["refundPolicy", "refund policy"],
    ["refund policies", "the refund policy"],
    ["RETRY", "retry"],
    ["configuration", "configure"],
  ])("shares stems between %j and %j", (one, other) => {
    expect(stemsOf(other)).toEqual(expect.arrayContaining(stemsOf(one)));
  });

  it("leaves out words of one or two letters, and keeps every number", () => {
    expect(stemsOf("a to be or")).toEqual([]);
    expect(stemsOf("page 7")).toHaveLength(2);
    expect(stemsOf("page 7")).not.toEqual(stemsOf("page 8"));
  });

  it("reads letters beyond ASCII", () => {
    expect(stemsOf("données")).toHaveLength(1);
    expect(stemsOf("東京 駅前広場").length).toBeGreaterThan(0);
  });

  it("is bounded, whatever the text", () => {
    const property = fc.property(fc.string({ unit: "binary", maxLength: 4_000 }), (text) => {
      const stems = stemsOf(text);
      expect(stems.length).toBeLessThanOrEqual(40);
      expect(stems.every((stem) => stem >= 0 && stem <= 0xffff)).toBe(true);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("likeness", () => {
  const alike = (one: string, other: string): number => likeness(stemsOf(one), stemsOf(other));

  it("is 1 for the same words in any order, and 0 for others", () => {
    expect(alike("retry policy of queues", "queues: retry policy")).toBe(1);
    expect(alike("retry policy", "garden chairs")).toBe(0);
    expect(alike("", "")).toBe(1);
  });

  it("is between them for some of the words", () => {
    expect(alike("retry policy", "retry limit")).toBeCloseTo(0.5);
  });

  it("is the same from either side where no word comes twice", () => {
    const words = fc.uniqueArray(fc.constantFrom("retry", "policy", "queue", "limit", "client"), { maxLength: 5 });
    const property = fc.property(words, words, (one, other) => {
      expect(alike(one.join(" "), other.join(" "))).toBeCloseTo(alike(other.join(" "), one.join(" ")));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("areAlike", () => {
  it("agrees with likeness", () => {
    const stems = fc.array(fc.nat(4), { maxLength: 6 });
    const property = fc.property(stems, stems, (one, other) => {
      expect(areAlike(one, other)).toBe(likeness(one, other) === 1);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
