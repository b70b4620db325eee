const MAX_LENGTH = 16_384;
/** Up to here no text takes the parser long, however it is made. */
const HARMLESS_LENGTH = 1_000;
/** Characters that the parser may pass while it looks for the ends of braces and brackets that have none. */
const MAX_SEARCH = 1_000_000;
const MAX_DEPTH = 50;
const DOLLAR = 36;
const OPENING_PARENTHESIS = 40;
const CLOSING_PARENTHESIS = 41;
const OPENING_BRACKET = 91;
const OPENING_BRACE = 123;

/**
 * Is the text one that the parser gets through in little time for its length?
 *
 * Counts without regard to quotes, so it may turn away a long text that only looks deep.
 */
export function isParseable(text: string): boolean {
  if (text.length > MAX_LENGTH || text.includes("\0")) return false;
  if (text.length <= HARMLESS_LENGTH) return true;
  let depth = 0;
  let searches = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === OPENING_PARENTHESIS) {
      if (++depth > MAX_DEPTH) return false;
    } else if (code === CLOSING_PARENTHESIS) {
      if (depth > 0) depth--;
    } else if (code === OPENING_BRACE || (code === OPENING_BRACKET && previous === DOLLAR)) {
      searches++;
    }
    previous = code;
  }
  return searches * text.length <= MAX_SEARCH;
}
