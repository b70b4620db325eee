/**
 * Marks an error so that the host hands it on as it is, if a middleware throws it now. The host replaces what comes out of a
 * middleware by an error of its own, also where the middleware only passes on what the model threw; but not if it has this mark.
 * Everywhere else the mark means that there is no error at all, so it is gone once it was read, and also if nobody reads it.
 */
export function letThrough(error: unknown): unknown {
  if (!(error instanceof Error) || MARK in error) return error;
  const unmark = (): boolean => Reflect.deleteProperty(error, MARK);
  const isMarked = Reflect.defineProperty(error, MARK, { configurable: true, enumerable: false, get: unmark });
  // The host comes to it one microtask after the throw.
  if (isMarked) queueMicrotask(() => queueMicrotask(unmark));
  return error;
}

const MARK = "is_bubble_up";
