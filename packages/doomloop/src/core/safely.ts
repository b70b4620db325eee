import { isDoomloopError } from "./doomloop-error.ts";

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

/** Names of tools are part of what is told, and nobody reads a hundred of these. */
const MAX_TOLD = 16;

/**
 * Tells of the first fault of ours, and of each mistake of the host's once, up to 16. Whoever is told of a fault does not cause another.
 */
export function reportOnce(tell: ((fault: unknown) => unknown) | undefined): (fault: unknown) => void {
  const told = new Set<string>();
  return (fault) => {
    const what = isDoomloopError(fault) && fault.code === "misuse" ? fault.message : "";
    if (told.has(what) || (what !== "" && told.size >= MAX_TOLD)) return;
    told.add(what);
    safely(() => tell?.(fault));
  };
}

function ignore(): void {}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}
