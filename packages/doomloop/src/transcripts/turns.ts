import { setImmediate } from "node:timers/promises";

/** Lets others have a turn of the event loop, Ctrl-C among them, while something long goes on. */
export interface Turns {
  /** Gives a turn away if the last one is long over. */
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
