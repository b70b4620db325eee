import { setImmediate as nextRound } from "node:timers/promises";

export type Turns = ReturnType<typeof createTurns>;

/** For so long, work goes on without a break. */
const SLICE_MS = 8;

/** Lets long work take turns with everything else that the service does, so that nobody waits long for it. */
export function createTurns() {
  const waiting: (() => void)[] = [];
  const busy = new Map<string, Promise<void>>();
  // One turn in each round of the event loop, however many wait: what is short is done in between.
  const giveTurn = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(giveTurn);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(giveTurn);
    });
  const inSteps = async <Result>(steps: Iterator<unknown, Result>): Promise<Result> => {
    for (;;) {
      await turn();
      const last = oneSlice(steps);
      if (last !== undefined) return last.value;
    }
  };
  return {
    /** Does work that is known to be long, step by step. Begins when it is its turn. */
    inSteps,
    /**
     * Does work that may be long: it takes turns only once it has kept the others waiting. Undefined if it is done at once. Until it is done, it is
     * under way for a key.
     */
    work(key: string, steps: Iterator<unknown>): Promise<unknown> | undefined {
      if (oneSlice(steps) !== undefined) return undefined;
      const finished = inSteps(steps);
      // The next one for the key begins in another round: what follows this work is done by then.
      const over = finished.then(nextRound, nextRound).then(() => void busy.delete(key));
      busy.set(key, over);
      return finished;
    },
    /** Resolves when the work for a key is done, and what follows it at once. Undefined if there is none. */
    underWay: (key: string): Promise<void> | undefined => busy.get(key),
  };
}

/** The last step, if it is reached. */
function oneSlice<Result>(steps: Iterator<unknown, Result>): IteratorReturnResult<Result> | undefined {
  const start = performance.now();
  do {
    const step = steps.next();
    if (step.done === true) return step;
  } while (performance.now() - start < SLICE_MS);
  return undefined;
}
