/** What a sticky pattern finds at a place; empty if it finds nothing. */
export function tokenAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
