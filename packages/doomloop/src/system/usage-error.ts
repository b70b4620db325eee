/** The user asked for something that cannot be done: exit code 2, and a message without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
