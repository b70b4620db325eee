/**
 * Calls what somebody else wrote, and gives back what it returns. Nothing else that it does reaches us, now or later: what it
 * throws goes to `onFault`, and so does what a promise of its is rejected with.
 */
export function safely<Value>(action: () => Value, onFault: (fault: unknown) => void = ignore): Value | undefined {
  try {
    const value = action();
    if (isThenable(value)) value.then(undefined, onFault);
    return value;
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}

/** Tells of the first fault and of no other. Whoever is told of a fault does not cause another. */
export function reportOnce(tell: ((fault: unknown) => unknown) | undefined): (fault: unknown) => void {
  let hasReported = false;
  return (fault) => {
    if (hasReported) return;
    hasReported = true;
    safely(() => tell?.(fault));
  };
}

function ignore(): void {}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}
