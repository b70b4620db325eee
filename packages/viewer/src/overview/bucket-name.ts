import type { TimeBuckets } from "./bucket-loops.ts";

const forms = {
  short: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }),
  long: new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" }),
  week: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }),
  month: new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric" }),
  year: new Intl.DateTimeFormat("en-GB", { year: "numeric" }),
};

/** How a span of time is called, under its bar and in full. */
export function bucketName(start: number, unit: TimeBuckets["unit"], length: "short" | "long"): string {
  if (unit === "month" || unit === "year") return forms[unit].format(start);
  if (length === "short") return forms.short.format(start);
  return unit === "week" ? `Week of ${forms.week.format(start)}` : forms.long.format(start);
}
