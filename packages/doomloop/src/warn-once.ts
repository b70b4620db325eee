import { isDoomloopError } from "./core/doomloop-error.ts";

interface ProcessLike {
  emitWarning?(message: string, type: string): void;
}

const UNKNOWN_FAULT =
  "a fault inside the guard, which continues as if it had just started; pass onFault to see the fault";
const MAX_WARNINGS = 64;
const warned = new Set<string>();

/**
 * Warns about a fault if the host has no `onFault`: on standard error, once in a process for each message. A guard must not go off silently.
 *
 * Only messages of our own are shown. Any other fault may quote anything.
 */
export function warnOnce(fault: unknown): void {
  const message = `doomloop: ${isDoomloopError(fault) ? fault.message : UNKNOWN_FAULT}`;
  if (warned.has(message) || warned.size === MAX_WARNINGS) return;
  warned.add(message);
  const { process, console } = globalThis as { process?: ProcessLike; console?: { warn(message: string): void } };
  if (typeof process?.emitWarning === "function") process.emitWarning(message, "DoomloopWarning");
  else console?.warn(message);
}
