import { describe, expect, it } from "vitest";
import { bucketLoops } from "./bucket-loops.ts";
import { bucketName } from "./bucket-name.ts";

const at = (year: number, month: number, day: number, hour = 12) => new Date(year, month - 1, day, hour).getTime();

describe("loops over time", () => {
  it("are counted by day, with quiet days in between", () => {
    const { unit, buckets } = bucketLoops([at(2026, 11, 3), at(2026, 11, 1, 1), at(2026, 11, 1, 23)]);

    expect(unit).toBe("day");
    expect(buckets.map(({ loops }) => loops)).toEqual([2, 0, 1]);
  });

  it.each([
    [at(2026, 10, 1), "day"],
    [at(2026, 8, 1), "week"],
    [at(2024, 11, 1), "month"],
    [at(2021, 1, 1), "year"],
  ])("since %i are counted by %s, in a number of bars that one can read", (since, expected) => {
    const { unit, buckets } = bucketLoops([at(2026, 11, 15)], { since, madeAt: at(2026, 11, 16) });

    expect(unit).toBe(expected);
    expect(buckets.length).toBeGreaterThan(1);
    expect(buckets.length).toBeLessThanOrEqual(100);
    expect(buckets.at(-1)?.loops).toBe(1);
  });

  it("leave no time between bars, and begin weeks on Monday", () => {
    const { buckets } = bucketLoops([at(2026, 3, 1), at(2026, 11, 15)]);

    for (const [index, { start, end }] of buckets.entries()) {
      expect(new Date(start).getDay()).toBe(1);
      expect(buckets[index + 1]?.start ?? end).toBe(end);
    }
  });

  it("put odd times aside, and say how many they are and how many have none", () => {
    const odd = [Date.parse("+275760-01-01"), 0, at(1, 1, 1), at(2001, 9, 9), at(2099, 1, 1)];
    const { buckets, ...aside } = bucketLoops([null, ...odd, at(2026, 11, 1)], { madeAt: at(2026, 11, 2) });

    expect(buckets).toMatchObject([{ loops: 1 }]);
    expect(aside).toEqual({ unit: "day", undated: 1, odd: 5 });
    expect(bucketLoops([null]).buckets).toEqual([]);
  });

  it("of a clock that is a day ahead are no odd ones", () => {
    expect(bucketLoops([at(2026, 11, 3)], { madeAt: at(2026, 11, 2) }).odd).toBe(0);
  });

  it("are named by their span", () => {
    expect(bucketName(at(2026, 11, 2), "day", "short")).toBe("2 Nov");
    expect(bucketName(at(2026, 11, 2), "day", "long")).toBe("Mon, 2 Nov 2026");
    expect(bucketName(at(2026, 11, 2), "week", "long")).toBe("Week of 2 Nov 2026");
    expect(bucketName(at(2026, 11, 2), "month", "short")).toBe("Nov 2026");
  });
});
