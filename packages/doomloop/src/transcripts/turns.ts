import { setImmediate } from "node:timers/promises";

const TURN_MS = 30;

/** Yields to the event loop during long work, so that Ctrl-C and others are handled. */
export function createTurns() {
  let last = performance.now();
  return {
    /** Yields if the last time is long enough ago. */
    pause(): Promise<void> | undefined {
      if (performance.now() - last < TURN_MS) return undefined;
      return setImmediate().then(() => {
        last = performance.now();
      });
    },
  };
}
