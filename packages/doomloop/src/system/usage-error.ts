import { getSystemErrorMessage } from "node:util";

/** The user asked for something that cannot be done. The command exits with 2 and a message without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Does something with a file that the user named. Throws a `UsageError` that begins with `what` if it fails. */
export function orUsageError<Value>(what: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    return toUsageError(what)(error);
  }
}

/** The same for a promise: `await promise.catch(toUsageError("cannot read a.ts"))`. */
export function toUsageError(what: string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(`${what}: ${readFault(error)}`, { cause: error });
  };
}

/** Why a file could not be read, without the name of the system call. */
export function readFault(error: unknown): string {
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  // Other errors, such as those of zlib, have numbers with another meaning.
  return errno !== undefined && syscall !== undefined ? getSystemErrorMessage(errno) : message;
}
