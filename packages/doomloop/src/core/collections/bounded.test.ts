import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { addLatest, pushLatest, setRecent } from "./bounded.ts";

describe("setRecent", () => {
  it("forgets what was set longest ago", () => {
    const map = new Map<string, number>();
    for (const [at, key] of ["a", "b", "a", "c"].entries()) setRecent(map, key, at, 2);

    expect([...map]).toEqual([
      ["a", 2],
      ["c", 3],
    ]);
  });
});

describe("pushLatest", () => {
  it("forgets what was added first", () => {
    const list: string[] = [];
    for (const item of ["a", "b", "a", "c"]) pushLatest(list, item, 3);

    expect(list).toEqual(["b", "a", "c"]);
  });
});

describe("addLatest", () => {
  it("keeps each item once, where it was added last", () => {
    const list: string[] = [];
    for (const item of ["a", "b", "a", "c"]) addLatest(list, item, 2);

    expect(list).toEqual(["a", "c"]);
  });
});

it("a bounded collection holds the latest of what was added, and no more", () => {
  const property = fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 6 }), (items, capacity) => {
    const map = new Map<number, true>();
    const list: number[] = [];
    const once: number[] = [];
    for (const item of items) {
      setRecent(map, item, true, capacity);
      pushLatest(list, item, capacity);
      addLatest(once, item, capacity);
    }
    const latest = [...new Set(items.toReversed())].slice(0, capacity).reverse();

    expect(list).toEqual(items.slice(-capacity));
    expect(once).toEqual(latest);
    expect([...map.keys()]).toEqual(latest);
  });
  fc.assert(property, { numRuns: propertyRuns() });
});
