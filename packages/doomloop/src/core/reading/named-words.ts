import { pushLatest } from "../collections/bounded.ts";
import { idOf } from "../hash.ts";
import { FIRST, mixed } from "../hints/words.ts";
import { isMarked, mark } from "./marks.ts";
import { SHORT } from "../numbers.ts";
import type { OpenCall, RunMemory } from "./run-memory.ts";

const MOST_BROUGHT = 128;
const NAMED = 2_048;
const ABOUT_CALL = 2;

/** Whether an answer names something of its call. */
export function isAboutCall(text: string, said: readonly number[]): boolean {
  if (text.length > SHORT) return false;
  let shared = 0;
  everyWord(text, (word) => {
    if (said.includes(word)) shared++;
  });
  return shared >= ABOUT_CALL || (shared > 0 && said.length <= ABOUT_CALL);
}

/**
 * Remembers the words of a result: what holds a digit is called after the call that it came from, and, if `isNews`, what was named can be
 * worked through.
 */
export function noteWords(run: RunMemory, text: string, call: OpenCall, isNews: boolean): void {
  let place = 0;
  everyWord(text, (word, hasDigit) => {
    const isKnown = isMarked(run.named, word);
    if (isNews) mark(run.named, word);
    if (!hasDigit || isKnown || call.said.includes(word)) return;
    const name = idOf(call.call.turn, ++place);
    if (!run.brought.some((each) => each.word === word)) pushLatest(run.brought, { word, name }, MOST_BROUGHT);
  });
}

/** Remembers the words of the user. */
export function nameWords(run: RunMemory, text: string): void {
  everyWord(text.slice(0, NAMED), (word) => void mark(run.named, word));
}

/** A name as a word of a text. */
export function wordOf(text: string): number {
  let word = FIRST;
  for (let at = 0; at < Math.min(text.length, NAMED); at++) word = mixed(word, text.charCodeAt(at));
  return word;
}

/** Whether a text has a word. */
export function names(text: string, name: number): boolean {
  let found = false;
  everyWord(text.slice(0, NAMED), (word) => {
    found ||= word === name;
  });
  return found;
}

function everyWord(text: string, take: (word: number, hasDigit: boolean) => void): void {
  let [word, bare, hasDigit] = [FIRST, 0, false];
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 32;
    const isDigit = unit >= 48 && unit <= 57;
    if (isDigit || ((unit | 32) - 97) >>> 0 < 26 || unit >= 128) {
      word = mixed(word, unit);
      bare = word;
      hasDigit ||= isDigit;
    } else if (bare !== 0 && (unit === 45 || unit === 46 || unit === 95 || unit === 58 || unit === 39 || unit === 47))
      word = mixed(word, unit);
    else if (bare !== 0) {
      take(bare, hasDigit);
      [word, bare, hasDigit] = [FIRST, 0, false];
    }
  }
}
