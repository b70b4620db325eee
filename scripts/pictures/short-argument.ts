const MAX_CHARACTERS = 200;

/** The arguments of a call in one line: the values that can be read, in their order. Foreign: escape before showing. */
export function shortArgument(args: unknown): string {
  const values = typeof args === "object" && args !== null ? Object.values(args) : [args];
  return values
    .filter((value) => ["string", "number", "boolean"].includes(typeof value))
    .map((value) => String(value).slice(0, MAX_CHARACTERS).trim().split("\n", 1)[0])
    .join(", ")
    .slice(0, MAX_CHARACTERS);
}
