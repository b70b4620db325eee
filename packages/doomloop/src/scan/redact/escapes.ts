import { tokenAt } from "./token-at.ts";

const ANY = /\\[\s\S]?/g;
/** What JSON knows. */
const KNOWN = /^\\["\\/bfnrtu]$/;
/** What stands in escaped text, and in no path of Windows: a quote, or the end of a line that no word follows. */
const SURE = /\\"|\\n(?![A-Za-z])/;
const ALONE = /\\\\|\\[nrtbfv](?![A-Za-z])/y;
const BEFORE_WORD = /\\[\\nrtbfv]/y;
const LETTERS = "bfnrt";

/** Whether the backslashes in a text are escapes, as far as that can be seen. */
export function looksEscaped(text: string): boolean {
  return text.includes("\\") && SURE.test(text) && (text.match(ANY) ?? []).every((pair) => KNOWN.test(pair));
}

/** The escape at a place; empty if there is none. In `C:\Users\nadine` the `n` is part of a name. */
export function escapeAt(text: string, at: number, isEscaped: boolean): string {
  return tokenAt(isEscaped ? BEFORE_WORD : ALONE, text, at);
}

/** Whether a word after a backslash may begin with the letter of an escape. */
export function beginsLikeEscape(word: string): boolean {
  return word !== "" && LETTERS.includes(word[0]!);
}

/** A word for after a backslash. It begins with the letter of some escape, so that text which could be read as JSON still can. */
export function likeEscape(drawn: string): string {
  return LETTERS[drawn.charCodeAt(0) % LETTERS.length]! + drawn.slice(1);
}
