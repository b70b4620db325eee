import { isObject } from "../core/identity/read-object.ts";
import { DoomloopError } from "../index.ts";

/** Throws if what is to be guarded is no object, as in a program without types. `what` names what is. */
export function requireObject(given: unknown, what: string): void {
  if (isObject(given) && !Array.isArray(given)) return;
  const got = Array.isArray(given) ? "a list" : given === null ? "null" : typeof given;
  throw new DoomloopError("invalid-option", `guard: ${what} is required, got ${got}`);
}
