import { safely } from "../core/faults.ts";

interface Clock {
  readonly timeOrigin: number;
  now(): number;
}

/** Milliseconds since the process began. */
export const sinceStart = (): number => read((clock) => clock.now());

/** The time of day when the process began, plus {@link sinceStart}: two processes of one run agree. */
export const sinceEpoch = (): number => read((clock) => clock.timeOrigin + clock.now());

/**
 * Reads a clock that nobody can set. The sandbox of a durable workflow, for example, has only the time of day, and a hardened one not
 * even that: there, time stands still. Never fails.
 */
function read(from: (clock: Clock) => number): number {
  const at = safely(() => from((globalThis as unknown as { performance: Clock }).performance));
  return Number.isFinite(at) ? at! : safely(() => Date.now()) || 0;
}
