/** Tells of the first fault and of no other, and never causes one. */
export function reportOnce(onFault: ((fault: unknown) => void) | undefined): (fault: unknown) => void {
  let hasReported = false;
  return (fault) => {
    if (hasReported) return;
    hasReported = true;
    try {
      onFault?.(fault);
    } catch {
      // Whoever is told of a fault must not cause another.
    }
  };
}
