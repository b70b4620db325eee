/** What a shell makes of Ctrl-C. */
export const INTERRUPTED = 130;

/** What the user ends a live command with. */
interface Interruption {
  readonly signal: AbortSignal;
  /** Leaves the signals to the process again. */
  end(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for the end. The first signal asks for it; a second one ends the process as it always does. */
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

/** What work came to, and whether it was ended early. */
interface Interruptible<Result> {
  readonly result: Result;
  readonly isInterrupted: boolean;
}

/** Does work that the first Ctrl-C ends early, so that what is known can be told; the second ends the process. */
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
