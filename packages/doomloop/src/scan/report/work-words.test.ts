import { expect, it } from "vitest";
import { utcClock } from "../work/active-days.ts";
import { workOf } from "../work/work-of.ts";
import {
  compactionsInWords,
  dayInWords,
  partInWords,
  readsInWords,
  standoutInWords,
  timeInWords,
  workTimeInWords,
} from "./work-words.ts";

const NOTHING = workOf([], utcClock);
const HOUR = 3_600_000;

it("counts the work of agents in hours", () => {
  expect([4_000, 90_000, 1.5 * HOUR, 154.4 * HOUR].map(workTimeInWords)).toEqual([
    "4 s",
    "1 min 30 s",
    "1.5 h",
    "154 h",
  ]);
});

it("writes a part without a space, never above the whole and never as nothing", () => {
  expect([
    partInWords(407, 1000),
    partInWords(36, 1000),
    partInWords(9, 4),
    partInWords(1, 1e6),
    partInWords(0, 0),
  ]).toEqual(["40.7%", "3.6%", "100.0%", "under 0.1%", "0%"]);
});

it("says how the time is shared out, without pauses", () => {
  const time = { toolsMs: HOUR, modelMs: 3 * HOUR, pausesMs: 900 * HOUR };

  expect(timeInWords({ time })).toBe("Agents worked 4.0 h: tools took 1.0 h (25.0%), models 3.0 h (75.0%).");
  expect(timeInWords({ time: null })).toBeUndefined();
});

it("says nothing of what did not happen", () => {
  expect([
    readsInWords(NOTHING),
    compactionsInWords(NOTHING),
    standoutInWords({ sessions: [], work: NOTHING }),
  ]).toEqual([undefined, undefined, undefined]);
});

it("tells what a day has, in the singular where it is one", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => (hour === 23 ? 9 : 1));
  const days = { days: 2, sessions: 2, medianCalls: 1, busiest: { date: "2026-01-01", calls: 9 }, hours };

  expect(dayInWords(days)).toBe("on average 16 calls and 1 session; most calls between 23:00 and 00:00");
  expect(dayInWords({ ...days, sessions: 13 })).toMatch(/^on average 16 calls and 6\.5 sessions; /);
});

it("says what stands out most only if it is worth it and has a name", () => {
  const file = { what: "a.ts", session: "s", times: 10, unchanged: 0 };
  const told = (more: Partial<typeof file> | { readonly what: null }) =>
    standoutInWords({ sessions: [], work: { ...NOTHING, files: { ...NOTHING.files, most: [{ ...file, ...more }] } } });

  expect(told({})).toBe("An agent read a.ts 10 times in one session");
  expect([told({ times: 9 }), told({ what: null })]).toEqual([undefined, undefined]);
});
