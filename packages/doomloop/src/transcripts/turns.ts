import { setImmediate } from "node:timers/promises";

/** Yields to the event loop during long work, so that Ctrl-C and others are handled. */
export interface Turns {
  /** Yields if the last time is long enough ago. */
  pause(): Promise<void> | undefined;
}

const TURN_MS = 30;

export function createTurns(now: () => number = () => performance.now()): Turns {
  let last = now();
  return {
    pause() {
      if (now() - last < TURN_MS) return undefined;
      return setImmediate().then(() => {
        last = now();
      });
    },
  };
}
