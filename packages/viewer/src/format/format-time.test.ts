import { describe, expect, it } from "vitest";
import { formatDuration } from "./format-duration.ts";
import { formatTime } from "./format-time.ts";

describe("a time", () => {
  it("is shown to the day, the minute or the second", () => {
    const at = new Date(2026, 10, 5, 14, 5, 9).toISOString();

    expect(formatTime(at, "day")).toBe("5 Nov 2026");
    expect(formatTime(at)).toBe("5 Nov 2026, 14:05");
    expect(formatTime(at, "second")).toBe("5 Nov 2026, 14:05:09");
  });

  it.each([null, "", "yesterday", "<b>"])("is not made up from %j", (at) => {
    expect(formatTime(at)).toBeUndefined();
  });
});

describe("a duration", () => {
  it.each([
    [0, "0 s"],
    [59_400, "59 s"],
    [90_000, "2 min"],
    [3_600_000, "1 h"],
    [5_400_000, "1 h 30 min"],
    [260_000_000, "3 days"],
  ])("of %i ms is %s", (spanMs, words) => {
    expect(formatDuration(spanMs)).toBe(words);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("of %d is none", (spanMs) => {
    expect(formatDuration(spanMs)).toBeUndefined();
  });
});
