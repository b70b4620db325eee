import { type FieldMarks, hashOfBytes, isFlag, valueStart } from "./argument-sketch.ts";

/** The distinct words and values of a call's arguments as 16-bit hashes, in order of size; undefined if too many. */
export type ArgumentWords = readonly number[];

const MAX_WORDS = 40;
/** What begins a text in the canonical bytes; its length follows in four bytes. */
const TEXT = 0x73;
const TEXT_HEAD = 5;
const FULL_STOP = 46;
const COLON = 58;

/** Reads the words of canonical bytes (key text, then value, at each mark). Flags are left out: they say how, not what. */
export function wordsOfArguments(bytes: Uint8Array, marks: FieldMarks): ArgumentWords | undefined {
  const words = new Set<number>();
  for (let field = 0; field < marks.starts.length; field++) {
    const start = marks.starts[field]!;
    const end = Math.min(marks.starts[field + 1] ?? marks.end, bytes.length);
    const value = valueStart(bytes, start, end);
    if (bytes[value] === TEXT) addWords(words, bytes, value + TEXT_HEAD, end);
    else if (!isFlag(bytes[value]!)) words.add(hashOfBytes(bytes, value, end) & 0xffff);
    if (words.size > MAX_WORDS) return undefined;
  }
  return [...words].sort((one, other) => one - other);
}

/**
 * Whether one of two calls says all that the other says, and perhaps more: the same question put in another way, or with
 * conditions added. Calls about different things each say something that the other does not.
 */
export function isRewording(one: ArgumentWords, other: ArgumentWords): boolean {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  if (few.length === 0) return false;
  let at = 0;
  for (const word of few) {
    while (at < many.length && many[at]! < word) at++;
    if (many[at] !== word) return false;
  }
  return true;
}

function addWords(words: Set<number>, bytes: Uint8Array, start: number, limit: number): void {
  let from = start;
  while (from < limit && words.size <= MAX_WORDS) {
    let to = from;
    while (to < limit && isWordByte(bytes[to]!)) to++;
    let end = to;
    while (end > from && (bytes[end - 1] === FULL_STOP || bytes[end - 1] === COLON)) end--;
    if (end > from) words.add(hashOfBytes(bytes, from, end) & 0xffff);
    from = to + 1;
  }
}

/** Letters, digits and what joins them in dates, paths and addresses: `2026-05-01` is one word, or each day repeats the month. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 45 && byte <= 58) || (byte >= 64 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte > 127
  );
}
