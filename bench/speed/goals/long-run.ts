import { createGuard, type Guard } from "../../../packages/doomloop/src/index.ts";
import { generateRun } from "../generate-runs.ts";
import type { Bench } from "../goal.ts";
import { measure } from "../measure.ts";

const EARLY = 1_000;
const LATE = 100_000;
const WINDOW = 2_000;

/** What an event costs late in a long run, against early in it: memory is bounded, so it must be the same. */
export const longRun: Bench = (clock) => {
  const events = generateRun((LATE + WINDOW) / 2, 1);
  const feed = (guard: Guard, from: number, to: number): void => {
    for (let at = from; at < to; at++) guard.observe(events[at]!);
  };
  let guard = createGuard();
  const { early, late } = measure(clock, {
    early: () => {
      guard = createGuard();
      feed(guard, 0, EARLY);
      return () => feed(guard, EARLY, EARLY + WINDOW);
    },
    late: () => {
      feed(guard, EARLY + WINDOW, LATE);
      return () => feed(guard, LATE, LATE + WINDOW);
    },
  });
  const each = `${((late * 1000) / WINDOW).toFixed(1)} µs an event against ${((early * 1000) / WINDOW).toFixed(1)} µs`;
  return {
    what: "an event at event 100,000, against event 1,000 of the same run",
    measured: late / early,
    goal: 1.15,
    unit: "x",
    detail: `a generated run, ${each}`,
  };
};
