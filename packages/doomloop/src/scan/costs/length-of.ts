const MAX_FIELDS = 64;

/** About how many characters a value has when it is written; only its first level is looked at. */
export function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 8;
  let length = 2;
  let fields = 0;
  for (const key in value) {
    if (++fields > MAX_FIELDS) break;
    const field = (value as Record<string, unknown>)[key];
    length += key.length + 4 + (typeof field === "string" ? field.length : 16);
  }
  return length;
}
