import { createSteadyClock } from "../steady-clock.ts";

/** The time that windows go by. */
export interface FleetClock {
  /** Milliseconds that never run backwards, to tell how long ago something was here. */
  now(): number;
  /** The moment `at`, which is now, by a clock that nobody sets. */
  steady(at: number): number;
  /** What scripts are told of the time: empty if they ask their server, so that workers' clocks need not agree. */
  storeTime(): string;
}

/** Windows go by the server's time, unless the caller has a clock of its own. */
export function createFleetClock(now: (() => number) | undefined): FleetClock {
  if (now === undefined) return { now: () => performance.now(), steady: (at) => at, storeTime: () => "" };
  const start = now();
  const elapsedMs = createSteadyClock(now);
  const steady = (): number => performance.now();
  return { now: elapsedMs, steady, storeTime: () => String(Math.floor(start + elapsedMs())) };
}
