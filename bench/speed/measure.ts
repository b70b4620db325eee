import type { Clock } from "./clock.ts";

/** One thing to time: `prepare` is not counted, what it returns is. */
export type Contestant = () => () => void;

const ROUNDS = 11;
/** The code is compiled, and memory is laid out, in rounds that do not count. */
const WARM_UP_ROUNDS = 3;
const PERCENTILE = 0.2;

/**
 * Times contestants against each other: one after the other, round by round, so that a disturbance meets all of them.
 * Returns the 20th percentile of each in milliseconds: nearly the best, without the luckiest.
 */
export function measure<Name extends string>(
  clock: Clock,
  contestants: Readonly<Record<Name, Contestant>>,
): Record<Name, number> {
  const names = Object.keys(contestants) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const name of names) {
      const work = contestants[name]();
      const start = clock.nowMs();
      work();
      const spent = clock.nowMs() - start;
      if (round >= 0) times[name].push(spent);
    }
  }
  return Object.fromEntries(names.map((name) => [name, percentile(times[name])])) as Record<Name, number>;
}

function percentile(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length * PERCENTILE)]!;
}
