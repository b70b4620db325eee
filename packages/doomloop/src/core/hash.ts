const FIRST = 0x811c9dc5 | 0;
const SECOND = 0x9747b28c | 0;
const PRIME = 0x01000193;
const OTHER = 0x5bd1e995;

/** One number of 53 bits for two hashes of 32. */
export function wide(one: number, two: number): number {
  return (one >>> 0) * 0x200000 + ((two ^ (two >>> 15)) >>> 11);
}

/** A text as a number of 53 bits. 0 stands for none. */
export function hashOf(text: string): number {
  let one = FIRST;
  let two = SECOND;
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), PRIME);
    two = Math.imul(two ^ one, OTHER);
  }
  return wide(one ^ text.length, two) || 1;
}

/** Some numbers as one of 53 bits: the identity of a topic, a call with its result. */
export function idOf(...parts: readonly number[]): number {
  let one = FIRST;
  let two = SECOND;
  for (const part of parts) {
    const low = part | 0;
    const high = (part / 0x100000000) | 0;
    one = Math.imul(one ^ low, PRIME);
    one ^= one >>> 15;
    two = Math.imul(two ^ high ^ (low >>> 7), OTHER);
    two ^= one;
  }
  return wide(one, two) || 1;
}
