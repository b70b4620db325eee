import { getSystemErrorMessage } from "node:util";

/** Why a file could not be read, without the name of the system call. */
export function readFault(error: unknown): string {
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  // Other faults have numbers too (those of zlib), which mean something else to the system.
  return errno !== undefined && syscall !== undefined ? getSystemErrorMessage(errno) : message;
}
