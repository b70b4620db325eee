/** What work came to, and whether it was ended early. */
export interface Interruptible<Result> {
  readonly result: Result;
  readonly isInterrupted: boolean;
}

/** What a shell makes of Ctrl-C. */
export const INTERRUPTED = 130;

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
