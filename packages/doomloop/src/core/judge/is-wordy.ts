const WORDY = 60;
const MAX_FIELDS = 8;
const MAX_DEPTH = 1;

/** Whether arguments say something at length: a message, a thought, a statement, a patch. */
export function isWordy(args: unknown, depth = 0): boolean {
  if (typeof args === "string") return args.length >= WORDY && args.includes(" ");
  if (typeof args !== "object" || args === null || depth > MAX_DEPTH) return false;
  const keys = Object.keys(args).slice(0, MAX_FIELDS);
  return keys.some((key) => isWordy(Object.getOwnPropertyDescriptor(args, key)?.value, depth + 1));
}
