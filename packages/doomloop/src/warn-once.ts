import { isDoomloopError } from "./core/doomloop-error.ts";

interface ProcessLike {
  emitWarning?(message: string, type: string): void;
}

const UNHEARD = "a fault inside the guard, which goes on as if it had just begun; pass onFault to see it";
const MAX_WARNINGS = 64;
const warned = new Set<string>();

/**
 * Warns of a fault where the host has no `onFault`: on standard error, each once in a process. A guard that is off must not be silent.
 *
 * A fault that is not worded by us is not shown: it may quote anything.
 */
export function warnOnce(fault: unknown): void {
  const message = `doomloop: ${isDoomloopError(fault) ? fault.message : UNHEARD}`;
  if (warned.has(message) || warned.size === MAX_WARNINGS) return;
  warned.add(message);
  const { process } = globalThis as { process?: ProcessLike };
  if (typeof process?.emitWarning === "function") process.emitWarning(message, "DoomloopWarning");
  // biome-ignore lint/suspicious/noConsole: where there is no process, this is where warnings go.
  else console.warn(message);
}
