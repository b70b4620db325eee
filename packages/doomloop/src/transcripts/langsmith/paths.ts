/** These files have no place of their own: they are named on the command line. */
export function langsmithPaths(): readonly string[] {
  return [];
}
