import { describe, expect, it } from "vitest";
import { type Climb, furthest } from "./climb.ts";

const climb = (level: number, shown: number): Climb => ({ level, shown }) as Climb;

describe("the climb that has come furthest", () => {
  it("is the one on the highest level, and of those the one that showed most often", () => {
    const [low, high, higher] = [climb(1, 9), climb(3, 2), climb(3, 5)];

    expect(furthest([low, higher, high])).toBe(higher);
    expect(furthest([high, higher, low])).toBe(higher);
    expect(furthest([])).toBeUndefined();
  });
});
