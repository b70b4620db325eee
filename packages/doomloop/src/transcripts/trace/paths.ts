/** Traces have no place of their own: they are named on the command line. */
export function tracePaths(): readonly string[] {
  return [];
}
