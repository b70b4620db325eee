interface Clock {
  readonly timeOrigin: number;
  now(): number;
}

/** Milliseconds since the process began. */
export const sinceStart = (): number => read((clock) => clock.now());

/** The time of day when the process began, plus {@link sinceStart}: two processes of one run agree. */
export const sinceEpoch = (): number => read((clock) => clock.timeOrigin + clock.now());

/** Reads a clock that nobody can set. Where a runtime has none, or lets nobody read it, the time of day. Never fails. */
function read(from: (clock: Clock) => number): number {
  try {
    const at = from((globalThis as unknown as { performance: Clock }).performance);
    if (Number.isFinite(at)) return at;
  } catch {
    // The sandbox of a durable workflow, for example, has only `Date`.
  }
  return Date.now();
}
