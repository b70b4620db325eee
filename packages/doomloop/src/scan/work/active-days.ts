import type { ActiveDays } from "../report/work.ts";
import type { WorkPart } from "./run-work.ts";

/** Counts the calls of each hour. */
export interface HourWatch {
  note(at: number | undefined): void;
  finish(): WorkPart["hours"];
}

const HOUR_MS = 3_600_000;
/** More than a year of hours. Calls in others are not counted. */
const MAX_HOURS = 10_000;
const MAX_TIME = 8.64e15;

export function createHourWatch(): HourWatch {
  const hours = new Map<number, number>();
  return {
    note(at) {
      if (at === undefined || !(Math.abs(at) < MAX_TIME)) return;
      const hour = Math.floor(at / HOUR_MS);
      const calls = hours.get(hour);
      if (calls !== undefined || hours.size < MAX_HOURS) hours.set(hour, (calls ?? 0) + 1);
    },
    finish: () => [...hours].sort(([one], [other]) => one - other),
  };
}

/** The day and the hour of a time, by some clock. */
export type ReadClock = (at: number) => { readonly date: string; readonly hour: number };

/** Reads a time by the clock of Greenwich. */
export const utcClock: ReadClock = (at) => ({
  date: new Date(at).toISOString().slice(0, 10),
  hour: new Date(at).getUTCHours(),
});

/** Reads a time by the clock of this machine. */
export const localClock: ReadClock = (at) => {
  const time = new Date(at);
  return utcClock(at - time.getTimezoneOffset() * 60_000);
};

interface DatedRun {
  /** The session that the run belongs to. */
  readonly session: string;
  readonly hours: WorkPart["hours"];
}

/** When agents worked, over all runs. Null if no run has times. */
export function activeDays(runs: readonly DatedRun[], clock: ReadClock): ActiveDays | null {
  const byDate = new Map<string, number>();
  const sessions = new Set<string>();
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { session, hours: counted } of runs) {
    for (const [hourOfRun, calls] of counted) {
      const { date, hour } = clock(hourOfRun * HOUR_MS);
      byDate.set(date, (byDate.get(date) ?? 0) + calls);
      sessions.add(session);
      hours[hour]! += calls;
    }
  }
  if (byDate.size === 0) return null;
  const calls = [...byDate.values()].sort((one, other) => one - other);
  const [date, busiest] = [...byDate].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))[0]!;
  return {
    days: byDate.size,
    sessions: sessions.size,
    medianCalls: calls[Math.floor(calls.length / 2)]!,
    busiest: { date, calls: busiest },
    hours,
  };
}
