import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { numbersIn, tookAsLongAsTold } from "./timers.ts";

describe("numbersIn", () => {
  it.each<[unknown, number[]]>([
    [{ seconds: 30 }, [30]],
    [{ command: "sleep 30 && curl localhost:8080" }, [30, 8080]],
    ["sleep 90", [90]],
    [{ name: "wait", until: "in 5 minutes", retries: 3 }, [5, 3]],
    [{ text: "0 and 00 and 1 and 7" }, [1, 7]],
    [{ list: [30], deep: { seconds: 40 }, no: null, yes: true }, [30, 40]],
    [{ deep: { deeper: { seconds: 30 } } }, []],
    [
      [10, "20"],
      [10, 20],
    ],
    [{}, []],
    [undefined, []],
    [null, []],
    [30, []],
  ])("are in %j: %j", (args, numbers) => {
    expect(numbersIn(args)).toEqual(numbers);
  });

  it("are six at most, and none are looked for in a long text or behind many fields", () => {
    expect(numbersIn("1 2 3 4 5 6 7 8")).toHaveLength(6);
    expect(numbersIn({ a: "1 2 3 4", b: "5 6 7 8" })).toHaveLength(6);
    expect(numbersIn({ text: `${"x".repeat(397)} 30` })).toEqual([30]);
    expect(numbersIn({ text: `${"x".repeat(398)} 30` })).toEqual([]);
    expect(numbersIn(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, at < 16 ? "" : 30])))).toEqual(
      [],
    );
  });

  it("are read without running a getter", () => {
    const args = Object.defineProperty({ b: 2 }, "a", { enumerable: true, get: () => expect.unreachable() });

    expect(numbersIn(args)).toEqual([2]);
  });
});

describe("tookAsLongAsTold", () => {
  it.each<[number, number[]]>([
    [30_000, [30]],
    [30_000, [30_000]],
    [120_000, [2]],
    [31_200, [8080, 30]],
    [26_000, [30]],
    [4_000, [4]],
  ])("is so of %i ms and the numbers %j", (tookMs, numbers) => {
    expect(tookAsLongAsTold(tookMs, numbers)).toBe(true);
  });

  it.each<[string, number, number[]]>([
    ["a build that took its time", 47_000, [8080, 3]],
    ["a call that came back at once", 40, [30]],
    ["a call that came back early", 12_000, [30]],
    ["a call that hung", 90_000, [30]],
    ["a short one", 3_999, [4]],
    ["one without a number", 30_000, []],
    ["one with numbers that are none", 30_000, [Number.NaN, -30, 0]],
    ["one that was told to wait for ever", 30_000, [Number.POSITIVE_INFINITY]],
  ])("is not so of %s", (_what, tookMs, numbers) => {
    expect(tookAsLongAsTold(tookMs, numbers)).toBe(false);
  });

  it("is so within a seventh of the time told, and not at twice the time or half of it", () => {
    const property = fc.property(
      fc.integer({ min: 10, max: 900 }),
      fc.integer({ min: -14, max: 14 }),
      (seconds, off) => {
        expect(tookAsLongAsTold(seconds * 1000 * (1 + off / 100), [seconds])).toBe(true);
        expect(tookAsLongAsTold(seconds * 2000, [seconds * 1000])).toBe(false);
        expect(tookAsLongAsTold(seconds * 500, [seconds * 1000])).toBe(false);
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
