/** What the user ends a live command with. */
export interface Interruption {
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
