import { getSystemErrorMessage } from "node:util";

/** The user asked for something that cannot be done: exit code 2, and a message without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Why a file could not be read, without the name of the system call. */
export function readFault(error: unknown): string {
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  // Other faults have numbers too (those of zlib), which mean something else to the system.
  return errno !== undefined && syscall !== undefined ? getSystemErrorMessage(errno) : message;
}
