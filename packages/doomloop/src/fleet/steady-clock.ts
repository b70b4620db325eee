/**
 * Makes milliseconds that never run backwards out of a clock that may: time that is set back stands still, and goes on
 * from there. A reading that is no number is passed over.
 */
export function createSteadyClock(now: () => number): () => number {
  let last = now();
  let elapsedMs = 0;
  return () => {
    const current = now();
    if (!Number.isFinite(current)) return elapsedMs;
    if (current > last) elapsedMs += current - last;
    last = current;
    return elapsedMs;
  };
}
