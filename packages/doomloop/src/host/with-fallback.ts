/** Runs an action. If it throws, the fault is reported and `fallback` is returned. */
export type WithFallback = <Value>(fallback: Value, action: () => Value) => Value;

/** Creates a {@link WithFallback} that reports faults, so that no fault of ours reaches the host. */
export function createWithFallback(reportFault: (fault: unknown) => void): WithFallback {
  return (fallback, action) => {
    try {
      return action();
    } catch (fault) {
      reportFault(fault);
      return fallback;
    }
  };
}
