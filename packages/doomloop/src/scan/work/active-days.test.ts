import { expect, it } from "vitest";
import { activeDays, createHourWatch, localClock, utcClock } from "./active-days.ts";

const at = (time: string) => Date.parse(`2026-03-${time}:00Z`);

function hoursOf(...times: readonly string[]) {
  const watch = createHourWatch();
  for (const time of times) watch.note(at(time));
  return watch.finish();
}

it("says on how many days agents worked, what a day has, and at what hour, and counts a session on one day", () => {
  const days = activeDays(
    [
      { session: "a", hours: hoursOf("01T09:10", "01T09:50", "02T14:00") },
      { session: "b", hours: hoursOf("01T09:30", "03T10:00") },
    ],
    utcClock,
  )!;

  expect(days).toMatchObject({ days: 3, sessions: 2, medianCalls: 1, busiest: { date: "2026-03-01", calls: 3 } });
  expect(days.hours).toHaveLength(24);
  expect([days.hours[9], days.hours[14], days.hours[10]]).toEqual([3, 1, 1]);
});

it("counts the agents of a session as one session", () => {
  const hours = hoursOf("01T09:10");

  expect(
    activeDays(
      [
        { session: "a", hours },
        { session: "a", hours },
      ],
      utcClock,
    ),
  ).toMatchObject({ sessions: 1 });
});

it("knows nothing where there are no times, and passes over impossible ones", () => {
  const watch = createHourWatch();
  for (const time of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) watch.note(time);

  expect(watch.finish()).toEqual([]);
  expect(activeDays([{ session: "a", hours: [] }], utcClock)).toBeNull();
});

it("keeps a bounded number of hours", () => {
  const watch = createHourWatch();
  for (let hour = 0; hour < 30_000; hour++) watch.note(hour * 3_600_000);

  expect(watch.finish().length).toBeLessThanOrEqual(10_000);
});

it("reads the clock of this machine", () => {
  const time = new Date(2026, 6, 3, 15, 30);

  expect(localClock(time.getTime())).toEqual({ date: "2026-07-03", hour: 15 });
});
