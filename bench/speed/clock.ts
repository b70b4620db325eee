/** Something that tells time in milliseconds. */
export interface Clock {
  readonly name: string;
  nowMs(): number;
}

/** A clock that steps more coarsely than this cannot tell short work apart. */
const COARSEST_STEP_MS = 0.1;
const STEPS = 20;

/**
 * CPU time of the process, which others disturb less than wall time, or wall time where a system counts in large ticks. Not that of the thread:
 * some systems count it finely at first and in large ticks later.
 */
export function chooseClock(): Clock {
  const clock: Clock = { name: "CPU time of the process", nowMs: () => sumMs(process.cpuUsage()) };
  if (typicalStepMs(clock.nowMs) <= COARSEST_STEP_MS) return clock;
  return { name: "wall time", nowMs: () => performance.now() };
}

function sumMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** The median of some steps from one reading to the next that differs. */
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
