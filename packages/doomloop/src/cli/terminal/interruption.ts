/** The exit code that shells use for Ctrl-C. */
export const INTERRUPTED = 130;

/** The end of a live command, requested by the user. */
interface Interruption {
  readonly signal: AbortSignal;
  /** Stops listening for signals. */
  end(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for signals. The first one aborts. A second one ends the process as usual. */
export function createInterruption(): Interruption {
  const controller = new AbortController();
  const end = (): void => {
    for (const name of SIGNALS) process.off(name, interrupt);
  };
  const interrupt = (): void => {
    end();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  return { signal: controller.signal, end };
}

/** The result of the work, and whether it was interrupted. */
interface Interruptible<Result> {
  readonly result: Result;
  readonly isInterrupted: boolean;
}

/**
 * Runs work that the first Ctrl-C interrupts, so that partial results can be shown. A second Ctrl-C ends the process.
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Interruptible<Result>> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once("SIGINT", stop);
  try {
    return { result: await work(controller.signal), isInterrupted: controller.signal.aborted };
  } finally {
    process.off("SIGINT", stop);
  }
}
