/** How an excerpt of an output begins and ends: a cheap look that tells most outputs apart before they are described. */
export type Edge = "beginning" | "ending";

const BEGINNING = 48;
const ENDING = 160;
/** Harnesses wrap outputs in tags, `<returncode>0</returncode>` and `<output>`: with these, all of them would look alike, and be described for nothing. */
const OPENING_TAGS = /^(?:<[^\n]{0,38}>\n){1,3}/;
const CLOSING_TAG = /<\/[^<\n]{0,38}$/;

/** An edge as a hash of 16 bits: the words up to a path, for that may lead to a folder for temporary files, or the words of the last line. */
export function edgeOf(excerpt: string, edge: Edge): number {
  if (edge === "beginning") {
    const start = excerpt.startsWith("<") ? (OPENING_TAGS.exec(excerpt)?.[0].length ?? 0) : 0;
    return hashOfPlainWords(excerpt, start, endOfBeginning(excerpt, start));
  }
  let text = excerpt.trimEnd();
  if (text.endsWith(">")) text = text.replace(CLOSING_TAG, "").trimEnd();
  return hashOfPlainWords(text, Math.max(text.lastIndexOf("\n") + 1, text.length - ENDING), text.length);
}

function endOfBeginning(text: string, start: number): number {
  const limit = start + BEGINNING;
  const path = text.slice(start, limit).indexOf("/");
  if (path >= 0 || text.length < limit) return path >= 0 ? start + path : text.length;
  // The last word may be cut.
  let end = limit;
  while (end > start && isWordUnit(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Numbers and ids, which have digits in them, may vary; names may not. */
function hashOfPlainWords(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  let word = hash;
  let isPlain = true;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (!isWordUnit(unit)) {
      if (isPlain) hash = word;
      word = hash;
      isPlain = true;
    } else if (unit >= 48 && unit <= 57) isPlain = false;
    else if (unit !== 45) word = Math.imul(word ^ (unit | 32), 0x01000193);
  }
  return (isPlain ? word : hash) & 0xffff;
}

function isWordUnit(unit: number): boolean {
  const letter = unit | 32;
  return (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 45;
}
