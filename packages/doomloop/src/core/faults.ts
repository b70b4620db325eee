import { DoomloopError, isDoomloopError } from "./doomloop-error.ts";

/**
 * Runs foreign code and returns its result. Whatever it throws goes to `onFault`, and so does a rejection of a promise
 * that it returns.
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

function ignore(): void {}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}

/** Messages contain names of tools, and nobody reads a hundred of them. */
const MAX_REPORTED = 16;

/** Reports our first fault, and each mistake of the host once, up to 16. A reporter that fails causes no further fault. */
export function reportOnce(tell: ((fault: unknown) => unknown) | undefined): (fault: unknown) => void {
  const told = new Set<string>();
  return (fault) => {
    const what = isDoomloopError(fault) && fault.code === "misuse" ? fault.message : "";
    if (told.has(what) || (what !== "" && told.size >= MAX_REPORTED)) return;
    told.add(what);
    safely(() => tell?.(fault));
  };
}

/** Tells the host of its own mistake, if that would silently switch the guard off. Each kind is told once. */
export type TellMisuse = (kind: string, message: string) => void;

/** Tells nobody. */
export const untold: TellMisuse = () => {};

/** Kinds contain names of tools, so their number is limited. */
const MAX_KINDS = 64;

/** Reports each kind of misuse once, as a `DoomloopError` with the code `misuse`. */
export function createTellMisuse(report: (fault: unknown) => void): TellMisuse {
  const told = new Set<string>();
  return (kind, message) => {
    if (told.has(kind) || told.size === MAX_KINDS) return;
    told.add(kind);
    report(new DoomloopError("misuse", message));
  };
}
