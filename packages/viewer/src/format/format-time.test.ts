import { describe, expect, it } from "vitest";
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
