import { getSystemErrorMessage } from "node:util";

/** The user asked for something that cannot be done. The command exits with 2 and a message without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Why a file could not be read, without the name of the system call. */
export function readFault(error: unknown): string {
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  // Other errors, such as those of zlib, have numbers with another meaning.
  return errno !== undefined && syscall !== undefined ? getSystemErrorMessage(errno) : message;
}
