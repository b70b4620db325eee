/** A clock with larger steps cannot measure short work. */
const COARSEST_STEP_MS = 0.1;

const STEPS = 20;

/** A clock in milliseconds. */
export interface Clock {
  readonly name: string;
  nowMs(): number;
}

/**
 * CPU time of the process, which other work disturbs less than wall time; or wall time if the system counts CPU time in large ticks. The CPU time of
 * the thread is not used, because some systems count it finely at first and in large ticks later.
 */
export function chooseClock(): Clock {
  const clock: Clock = { name: "CPU time of the process", nowMs: () => sumMs(process.cpuUsage()) };
  if (typicalStepMs(clock.nowMs) <= COARSEST_STEP_MS) return clock;
  return { name: "wall time", nowMs: () => performance.now() };
}

function sumMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** The median difference between a reading and the next different one. */
function typicalStepMs(nowMs: () => number): number {
  const steps: number[] = [];
  for (let before = nowMs(); steps.length < STEPS; ) {
    const now = nowMs();
    if (now === before) continue;
    steps.push(now - before);
    before = now;
  }
  return steps.sort((one, other) => one - other)[STEPS / 2]!;
}

/** A measured value and its goal. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly goal: number;
  /** What a check requires as long as the goal is not reached, so that the value does not get worse unnoticed. */
  readonly limit?: number;
  readonly unit: "x" | "ms" | "KB";
  /** How the value was measured. */
  readonly detail: string;
}

/** Takes one measurement. */
export type Bench = (clock: Clock) => Goal;

/** One thing to time. The call itself is preparation and not timed; the function that it returns is. */
type Contestant = () => () => void;

const ROUNDS = 11;
/** Rounds that do not count, in which code is compiled and memory allocated. */
const WARM_UP_ROUNDS = 3;
const PERCENTILE = 0.2;

/**
 * Times contestants against each other. They take turns, round by round, so that a disturbance affects all of them.
 * Returns the 20th percentile of each in milliseconds: close to the best time, without the lucky ones.
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
