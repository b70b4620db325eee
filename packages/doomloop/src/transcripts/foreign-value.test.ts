import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { countOf, timeOf } from "./foreign-value.ts";

const TIME = Date.UTC(2026, 9, 1, 8);

it.each([
  { title: "a date", value: "2026-10-01T08:00:00.000Z" },
  { title: "a date with a zone", value: "2026-10-01T10:00:00+02:00" },
  { title: "a date without a zone, as one in UTC", value: "2026-10-01T08:00:00.000000" },
  { title: "seconds", value: TIME / 1000 },
  { title: "milliseconds", value: TIME },
  { title: "microseconds", value: TIME * 1000 },
  { title: "nanoseconds as text", value: `${TIME}000000` },
])("reads $title", ({ value }) => {
  expect(timeOf(value)).toBe(TIME);
});

it.each([
  undefined,
  null,
  "",
  "yesterday",
  "2026-99-99",
  "2026-13-41T08:00:00.000Z",
  {},
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "9".repeat(50),
])("finds no time in %o", (value) => {
  expect(timeOf(value)).toBeUndefined();
});

it("reads times of one minute, and rejects an invalid second", () => {
  const times = ["08:00:00.000", "08:00:59.999", "08:00:60.000", "08:00:1a.000", "08:00:05.040", "08:01:05.040"];

  expect(times.map((time) => timeOf(`2026-10-01T${time}Z`))).toEqual(
    [0, 59_999, undefined, undefined, 5_040, 65_040].map((after) => (after === undefined ? undefined : TIME + after)),
  );
});

it("reads the usual format like any parser", () => {
  const date = fc.date({ min: new Date(0), max: new Date(253_402_300_799_000), noInvalidDate: true });
  fc.assert(
    fc.property(date, (each) => {
      expect(timeOf(each.toISOString())).toBe(each.getTime());
    }),
    { numRuns: propertyRuns() },
  );
});

it("returns 0 for anything that is not a count", () => {
  expect([3, -1, "3", Number.NaN, 1e300, null].map(countOf)).toEqual([3, 0, 0, 0, 0, 0]);
});
