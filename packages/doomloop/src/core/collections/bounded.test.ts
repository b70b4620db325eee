import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { addLatest, pushLatest, setRecent } from "./bounded.ts";

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
