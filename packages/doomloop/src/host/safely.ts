/** Does something of ours; what it throws is reported, and `fallback` stands for its result. */
export type Safely = <Value>(fallback: Value, action: () => Value) => Value;

/** Our fault, whatever it is, must not reach the host. */
export function createSafely(reportFault: (fault: unknown) => void): Safely {
  return (fallback, action) => {
    try {
      return action();
    } catch (fault) {
      reportFault(fault);
      return fallback;
    }
  };
}
