import { describe, expect, it } from "vitest";
import { createGenerations } from "./generations.ts";

describe("a cache in two generations", () => {
  it("keeps at least half of its capacity, and what is used", () => {
    const cache = createGenerations<number>(10);
    cache.set("used", -1);
    for (let at = 0; at < 100; at++) {
      cache.set(String(at), at);
      expect(cache.get("used")).toBe(-1);
    }
    const kept = Array.from({ length: 100 }, (_, at) => cache.get(String(at))).filter((value) => value !== undefined);

    expect(kept.slice(-4)).toEqual([96, 97, 98, 99]);
    expect(kept.length).toBeLessThanOrEqual(10);
  });

  it("gives the latest value", () => {
    const cache = createGenerations<number>(4);
    for (let at = 0; at < 9; at++) cache.set("same", at);

    expect(cache.get("same")).toBe(8);
  });
});
