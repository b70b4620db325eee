import { expect, it } from "vitest";
import { readTimeRange } from "./time-range.ts";

const NOW = new Date(2026, 5, 15, 12).getTime();
const DAY_MS = 86_400_000;

it.each([
  ["7d", 7, "the last 7 days"],
  ["2w", 14, "the last 2 weeks"],
  ["30", 30, "the last 30 days"],
  ["12h", 0.5, "the last 12 hours"],
  ["1mo", 30, "the last month"],
  ["90min", 1 / 16, "the last 90 minutes"],
])("reads --last %s", (last, days, words) => {
  expect(readTimeRange({ last }, NOW)).toEqual({ since: NOW - days * DAY_MS, until: undefined, words });
});

it("accepts days in both formats, and includes the last day", () => {
  const range = readTimeRange({ since: "20260601", until: "2026-06-02" }, NOW);

  expect(range.since).toBe(new Date(2026, 5, 1).getTime());
  expect(range.until).toBe(new Date(2026, 5, 3).getTime() - 1);
});

it("uses the default only if no range is given", () => {
  expect(readTimeRange({ defaultLast: "30d" }, NOW).since).toBe(NOW - 30 * DAY_MS);
  expect(readTimeRange({ defaultLast: "30d", until: "2026-06-02" }, NOW).since).toBeUndefined();
});

it("does not guess whether m is minutes or months", () => {
  expect(() => readTimeRange({ last: "3m" }, NOW)).toThrow("--last: 3m may be minutes or months; write 3min or 3mo");
});

it.each([
  [{ last: "soon" }],
  [{ last: "0d" }],
  [{ last: "3months" }],
  [{ since: "2026-02-30" }],
  [{ until: "yesterday" }],
  [{ since: "2026-06-02", until: "2026-06-01" }],
  [{ since: "2026-06-02", last: "7d" }],
])("rejects %j", (options) => {
  expect(() => readTimeRange(options, NOW)).toThrow(/is required|expected|only one/);
});
