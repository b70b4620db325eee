/**
 * Whether an exit code tells of a failure.
 *
 * Exit code 1 without a word is what searches and comparisons end with when there is nothing to tell: no failure, no success.
 */
export function exitError(code: unknown, output: unknown): boolean | undefined {
  if (typeof code !== "number") return undefined;
  if (code === 0) return false;
  const isSilent = typeof output !== "string" || (output.length < 64 && output.trim() === "");
  return code === 1 && isSilent ? undefined : true;
}
