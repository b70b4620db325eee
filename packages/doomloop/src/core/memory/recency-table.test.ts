import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createRecencyTable } from "./recency-table.ts";

describe("createRecencyTable", () => {
  it("forgets what was set longest ago", () => {
    const table = createRecencyTable<number>(2);
    table.set("a", 1);
    table.set("b", 2);
    table.set("a", 3);
    table.set("c", 4);

    expect([...table.entries()]).toEqual([
      ["a", 3],
      ["c", 4],
    ]);
    expect(table.get("b")).toBeUndefined();
  });

  it("deletes and clears", () => {
    const table = createRecencyTable<number>(2);
    table.set("a", 1);
    table.set("b", 2);
    table.delete("a");
    table.delete("nothing");

    expect(table.size()).toBe(1);
    table.clear();
    expect(table.size()).toBe(0);
  });

  it("takes any key", () => {
    const table = createRecencyTable<number>(4);
    for (const key of ["__proto__", "constructor", "", "\ud800"]) table.set(key, 1);

    expect(table.size()).toBe(4);
    expect(table.get("toString")).toBeUndefined();
  });

  it("never holds more than its capacity, and always the latest", () => {
    const property = fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 8 }), (keys, capacity) => {
      const table = createRecencyTable<number>(capacity);
      keys.forEach((key, at) => void table.set(`${key}`, at));
      const latest = [...new Set(keys.toReversed())].slice(0, capacity).toReversed();

      expect([...table.entries()].map(([key]) => Number(key))).toEqual(latest);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
