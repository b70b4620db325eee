import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "./places.ts";

describe("align", () => {
  it.each([
    ["all of it if something was added", "abc", "abcd", { from: 0, length: 3 }],
    ["its beginning if something was taken back", "abcd", "abx", { from: 0, length: 2 }],
    ["its end if something was cut off", "abcd", "cdx", { from: 2, length: 2 }],
    ["the longest end if elements are equal", "cbaba", "babax", { from: 1, length: 4 }],
    ["nothing if nothing is left", "abcd", "xy", { from: 0, length: 0 }],
    ["nothing of nothing", "", "xy", { from: 0, length: 0 }],
  ])("finds %s", (_what, before, after, expected) => {
    expect(align([...before], [...after])).toEqual(expected);
  });

  it("finds the same as trying every position", () => {
    const list = fc.array(fc.constantFrom("a", "b"), { maxLength: 10 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { from, length } = align(before, after);
        const longest = before.findIndex((_, at) => after.join("").startsWith(before.slice(at).join("")));

        expect(before.slice(from, from + length)).toEqual(after.slice(0, length));
        if (longest >= 0 && after.length >= before.length)
          expect(length).toBeGreaterThanOrEqual(before.length - longest);
      }),
    );
  });
});
