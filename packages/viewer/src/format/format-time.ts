const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const minute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const second = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const forms = { day, minute, second };

/** A recorded time in the reader's own time zone; undefined where there is none or it is no time. */
export function formatTime(at: string | null, precision: keyof typeof forms = "minute"): string | undefined {
  const time = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? undefined : forms[precision].format(time);
}
