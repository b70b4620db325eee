const ENDING = 160;
const BEGINNING = 48;
const MAX_TAG = 40;
const MAX_TAG_LINES = 3;

/** A hash of the words of a text's last line. */
export function endingOf(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  // A closing tag is the harness's.
  if (text.charCodeAt(end - 1) === 62) {
    const tag = text.slice(Math.max(0, end - MAX_TAG), end).lastIndexOf("</");
    if (tag >= 0) end = Math.max(0, end - MAX_TAG) + tag;
    while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  }
  // Looked for here and not by lastIndexOf, which would read the whole of a text that is one line.
  let start = end;
  while (start > 0 && start > end - ENDING && text.charCodeAt(start - 1) !== 10) start--;
  return hashOfPlainWords(text, start, end);
}

/** A hash of the words that a text begins with, up to a path: that may lead to a folder for temporary files. */
export function beginningOf(text: string): number {
  const start = afterTags(text);
  const limit = start + BEGINNING;
  let end = start;
  while (end < limit && end < text.length && text.charCodeAt(end) !== 47) end++;
  // The last word may be cut.
  if (end === limit) while (end > start && isWordUnit(text.charCodeAt(end - 1))) end--;
  return hashOfPlainWords(text, start, end);
}

/** Behind the lines of tags that a harness wraps outputs in: `<returncode>0</returncode>`, `<output>`. */
function afterTags(text: string): number {
  let start = 0;
  for (let lines = 0; lines < MAX_TAG_LINES && text.charCodeAt(start) === 60; lines++) {
    const end = text.indexOf("\n", start);
    if (end < 0 || end - start > MAX_TAG || text.charCodeAt(end - 1) !== 62) return start;
    start = end + 1;
  }
  return start;
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
