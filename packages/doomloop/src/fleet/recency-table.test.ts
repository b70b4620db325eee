import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { timesAsLong } from "../../../../test/shortest-time.ts";
import { createRecencyTable } from "./recency-table.ts";

describe("createRecencyTable", () => {
  it("drops the entry that was set the longest ago", () => {
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

  it("accepts any key", () => {
    const table = createRecencyTable<number>(4);
    for (const key of ["__proto__", "constructor", "", "\ud800"]) table.set(key, 1);

    expect(table.size()).toBe(4);
    expect(table.get("toString")).toBeUndefined();
  });

  it("never holds more than its capacity, and always holds the latest", () => {
    const property = fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 8 }), (keys, capacity) => {
      const table = createRecencyTable<number>(capacity);
      keys.forEach((key, at) => void table.set(`${key}`, at));
      const latest = [...new Set(keys.toReversed())].slice(0, capacity).toReversed();

      expect([...table.entries()].map(([key]) => Number(key))).toEqual(latest);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("behaves like a map in which every entry that is set moves to the end", () => {
    const key = fc.nat(9).map(String);
    const action = fc.oneof(
      fc.record({ set: key, value: fc.nat() }),
      fc.record({ delete: key }),
      fc.constant({ clear: true as const }),
    );
    const property = fc.property(
      fc.array(action, { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (all, capacity) => {
        const table = createRecencyTable<number>(capacity);
        const map = new Map<string, number>();
        for (const each of all) {
          if ("set" in each) {
            table.set(each.set, each.value);
            map.delete(each.set);
            if (map.size >= capacity) map.delete([...map.keys()][0]!);
            map.set(each.set, each.value);
          } else if ("delete" in each) {
            table.delete(each.delete);
            map.delete(each.delete);
          } else {
            table.clear();
            map.clear();
          }
          expect([...table.entries()]).toEqual([...map]);
          expect(table.size()).toBe(map.size);
        }
      },
    );
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("allows the current entry to be deleted during an iteration", () => {
    const table = createRecencyTable<number>(4);
    for (const key of ["a", "b", "c", "d"]) table.set(key, 1);
    const seen: string[] = [];
    for (const [key] of table.entries()) {
      seen.push(key);
      if (key !== "c") table.delete(key);
    }

    expect(seen).toEqual(["a", "b", "c", "d"]);
    expect([...table.entries()]).toEqual([["c", 1]]);
  });

  it("is about as fast when it is full as while it fills", () => {
    const capacity = 10_000;
    let table = createRecencyTable<number>(capacity);
    const setAll = (from: number): void => {
      for (let at = from; at < from + capacity; at++) table.set(String(at), at);
    };
    const fill = (): void => {
      table = createRecencyTable<number>(capacity);
      setAll(0);
    };

    // A map that looks up its first entry each time takes about seventeen times as long.
    expect(timesAsLong(() => setAll(capacity), fill, 7)).toBeLessThan(7);
  });
});
