import { type ForeignRecord, jsonIn, recordsOf } from "./foreign-value.ts";

/**
 * Whether a key is in the head of a file, followed by one of the given beginnings of a value.
 *
 * Searches the text instead of parsing it, because the first line is often longer than the head.
 */
export function hasKey(head: string, key: string, ...values: readonly string[]): boolean {
  const quoted = `"${key}"`;
  for (let at = head.indexOf(quoted); at >= 0; at = head.indexOf(quoted, at + 1)) {
    const rest = head.slice(at + quoted.length, at + quoted.length + 80).trimStart();
    if (!rest.startsWith(":")) continue;
    const value = rest.slice(1).trimStart();
    if (values.length === 0 || values.some((begin) => value.startsWith(begin))) return true;
  }
  return false;
}

/** The complete lines of a head that are JSON objects. */
export function recordsIn(head: string): readonly ForeignRecord[] {
  return recordsOf(head.split("\n").map(jsonIn));
}
