const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_RECORD = 123;
const CLOSE_RECORD = 125;

/**
 * Finds the end of a JSON value: the index after it, or -1 if it does not end.
 *
 * Jumps from quote to quote, many times faster than parsing. Does not check the value, so the result for broken JSON is
 * arbitrary.
 */
export function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at + 1);
        if (at < 0) return -1;
        if (depth === 0) return at + 1;
        break;
      case OPEN_RECORD:
      case OPEN_LIST:
        depth++;
        break;
      case CLOSE_RECORD:
      case CLOSE_LIST:
        // After a number or a literal, the bracket closes the value around it.
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case COMMA:
        if (depth === 0) return at;
        break;
      default:
    }
  }
  return -1;
}

/** A quote is escaped if an odd number of backslashes comes before it. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before >= from && text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}
