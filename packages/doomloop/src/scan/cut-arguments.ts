/** More fields than a person compares. */
const MAX_FIELDS = 100;

/**
 * The arguments of a call as JSON of at most some `max` characters.
 *
 * Where there are more, long fields are cut and short ones stay whole: whoever compares two calls still finds field by field what
 * differs. What is no object is cut at its end.
 */
export function cutArguments(args: unknown, max: number): string {
  const whole = textOf(args);
  if (whole.length <= max || typeof args !== "object" || args === null || Array.isArray(args))
    return whole.slice(0, max);
  const fields = Object.entries(args).slice(0, MAX_FIELDS);
  const texts = fields.map(([name, value]): [string, string] => [name.slice(0, max), textOf(value)]);
  const room = shareOut(
    texts.map(([, text]) => text.length),
    max,
  );
  const cut = texts.map(([name, text], at): [string, unknown] => [
    name,
    text.length <= room[at]!
      ? fields[at]![1]
      : `${text.slice(0, room[at]).toWellFormed()}… (${text.length} characters)`,
  ]);
  return textOf(Object.fromEntries(cut));
}

/** How much each may take: all of it if it is short, and of what is left an equal share. */
function shareOut(lengths: readonly number[], max: number): readonly number[] {
  const shares = lengths.map(() => 0);
  const shortestFirst = [...lengths.keys()].sort((one, other) => lengths[one]! - lengths[other]!);
  let left = max;
  for (const [done, at] of shortestFirst.entries()) {
    shares[at] = Math.min(lengths[at]!, Math.floor(left / (lengths.length - done)));
    left -= shares[at]!;
  }
  return shares;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // A value from JSON can always be written; one from a reader of the user's need not be.
    return "";
  }
}
