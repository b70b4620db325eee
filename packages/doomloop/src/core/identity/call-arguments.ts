/** Sixteen digits in a row: more than a JavaScript number can hold apart. */
const LONG_NUMBER = /\d{16}/;
const MAX_JSON = 262_144;

/**
 * The arguments as a value: some hosts hand them over as JSON text.
 *
 * Text that is no JSON object stays text. So does JSON with an integer that would not survive parsing: two different
 * 64-bit ids must never become equal.
 */
export function readArguments(args: unknown): unknown {
  if (typeof args !== "string" || args.length > MAX_JSON) return args;
  const first = args.trimStart()[0];
  if ((first !== "{" && first !== "[") || LONG_NUMBER.test(args)) return args;
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}
