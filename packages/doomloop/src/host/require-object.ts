import { isObject } from "../core/identity/read-object.ts";
import { DoomloopError } from "../index.ts";

/** Options of a guard that no framework has. */
const OURS = ["preset", "ladder", "patienceMs", "onDecision", "onFault", "onStop"];

/**
 * Throws if what is to be guarded is no object, as in a program without types, or has options of the guard, which would be ignored there.
 * `what` names what is required.
 */
export function requireObject(given: unknown, what: string): void {
  if (isObject(given) && !Array.isArray(given)) {
    const misplaced = OURS.find((name) => Object.hasOwn(given, name));
    if (misplaced === undefined) return;
    throw new DoomloopError("invalid-option", `guard: pass ${misplaced} in the second argument, not with ${what}`);
  }
  const got = Array.isArray(given) ? "a list" : given === null ? "null" : typeof given;
  throw new DoomloopError("invalid-option", `guard: ${what} is required, got ${got}`);
}
