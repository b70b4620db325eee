/** `closed`: the store is used · `open`: it is left alone for a while · `half-open`: one call tries it. */
export type BreakerState = "closed" | "open" | "half-open";

/** Keeps away from a store that does not answer, and tries it now and then. */
export interface Breaker {
  state(): BreakerState;
  /** Whether a call may be made now. After a pause, the first who asks makes the trial. */
  mayTry(): boolean;
  succeeded(): void;
  failed(): void;
  /** Milliseconds until the next trial is due; 0 if a call may be made. */
  dueInMs(): number;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** The longest pause between two trials. */
  readonly maxProbeMs: number;
  /** Milliseconds that never run backwards. */
  now(): number;
  /** From 0 to 1: pauses are spread, so that a thousand workers do not come back at one moment. */
  random(): number;
}

const FIRST_PAUSE_MS = 100;

export function createBreaker({ failures, maxProbeMs, now, random }: BreakerOptions): Breaker {
  let state: BreakerState = "closed";
  let inRow = 0;
  let pauses = 0;
  let dueAt = 0;

  return {
    state: () => state,
    mayTry() {
      if (state === "closed") return true;
      if (state === "half-open" || now() < dueAt) return false;
      state = "half-open";
      return true;
    },
    succeeded() {
      state = "closed";
      inRow = 0;
      pauses = 0;
    },
    failed() {
      inRow++;
      if (state === "open" || (state === "closed" && inRow < failures)) return;
      const longest = Math.min(maxProbeMs, FIRST_PAUSE_MS * 2 ** Math.min(pauses++, 10));
      dueAt = now() + longest * (0.5 + random() / 2);
      state = "open";
    },
    dueInMs: () => (state === "open" ? Math.max(0, dueAt - now()) : 0),
  };
}
