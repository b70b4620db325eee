import { wide } from "../hash.ts";
import {
  CODE,
  COUNTED,
  DENIES,
  DONE,
  EMPTY,
  EXIT,
  FAILS,
  FIRST,
  MARKED,
  meaningOf,
  mixed,
  NAMES,
  PASSES,
  pairOf,
  TRANSIENT,
} from "../hints/words.ts";
import { isVolatile } from "./volatile.ts";

/** What a text says, whatever its words mean. */
export interface Skim {
  /** Equal for texts that are equal but for white space; whose part differs only in what a program has made; in any word with a digit or of the call. */
  readonly exact: number;
  readonly plain: number;
  readonly form: number;
  /** Hashes of its lines and list items, with all words that hold a digit as one. */
  readonly pieces: readonly number[];
}

/** What the words of a text say. */
export interface Words {
  /** Equal for texts that differ only in what is volatile; in ids, too. */
  readonly masked: number;
  readonly ids: number;
  /** The line that tells of a failure, else the last one: with what is volatile masked, and only its words. */
  readonly line: number;
  readonly kind: number;
  /** What the words may mean: of all, of the first line, of the last one. */
  readonly flags: number;
  readonly firstFlags: number;
  readonly lastFlags: number;
  readonly exitCode: number | undefined;
  /** It begins like an answer that only confirms: `Clicked`, `ok`. */
  readonly isConfirming: boolean;
}

const END = 1;
const SEPARATES = 2;
const LETTER = 4;
const DIGIT = 8;
const SLASH = 16;
const JOINS = 32;
/** A letter that hexadecimal numbers have, too; a colon, which also joins. */
const HEX = 64;
const COLON = 128;
const LETTERS = LETTER | HEX;
const WORD = LETTER;
const PRIME = 0x01000193;
const OTHER = 0x5bd1e995;
const SECOND = 0x9747b28c | 0;
const LINE_BREAK = 10;
const BACKSLASH = 92;
/** A piece with fewer letters says nothing. */
const FEW_LETTERS = 4;
const MOST_PIECES = 64;
const MASKED = 1;
const LONGEST_NUMBER = 12;
/** What a word means by itself. */
const KEPT = ~(NAMES | MARKED | COUNTED | DENIES | EMPTY | EXIT | CODE | PASSES | DONE);

const kinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

function kindOf(character: string): number {
  if ("\n,;{}".includes(character)) return END;
  if (/\d/.test(character)) return DIGIT;
  if (character === "/") return SLASH;
  if (character === ":") return JOINS | COLON;
  if (/[_.'-]/.test(character)) return JOINS;
  if (/[a-f]/i.test(character)) return HEX;
  return /[a-z]/i.test(character) ? LETTER : character <= " " ? 0 : SEPARATES;
}

function kindAt(unit: number): number {
  if (unit < 128) return kinds[unit]!;
  // Nobody sees these.
  return (unit >= 0x200b && unit <= 0x200f) || unit === 0x2060 || unit === 0xfeff ? 0 : LETTER;
}

/**
 * Reads all of a text once. Nothing depends on what its words mean. `said`: hashes of words that its call said already. `plain` is about
 * the part from `from` to `to`.
 */
export function skim(text: string, said: readonly number[], from = 0, to = text.length): Skim {
  let saidBits = 0;
  for (const word of said) saidBits |= 1 << (word & 31);
  const pieces: number[] = [];
  let [exact, exact2, plain, plain2, form, form2] = [FIRST, SECOND, FIRST, SECOND, FIRST, SECOND];
  let piece = FIRST;
  let letters = 0;
  const end = text.length;
  for (let at = 0; at <= end; ) {
    let unit = at < end ? text.charCodeAt(at) : LINE_BREAK;
    let kind = kindAt(unit);
    const start = at++;
    if ((kind & (LETTERS | DIGIT)) !== 0) {
      let hash = mixed(FIRST, unit);
      let classes = kind;
      for (; at < end; at++) {
        unit = text.charCodeAt(at);
        kind = kindAt(unit);
        if (kind < WORD) break;
        classes |= kind;
        hash = mixed(hash, unit);
      }
      exact = Math.imul(exact ^ hash, PRIME);
      exact2 = Math.imul(exact2 ^ exact, OTHER);
      const hasDigit = (classes & DIGIT) !== 0;
      const isSaid = ((saidBits >>> (hash & 31)) & 1) !== 0 && said.includes(hash);
      const formed = hasDigit || isSaid ? MASKED : hash;
      form = Math.imul(form ^ formed, PRIME);
      form2 = Math.imul(form2 ^ form, OTHER);
      const kept = hasDigit && isMade(text, start, at - start, classes) ? MASKED : hash;
      if (start >= from && start < to) {
        plain = Math.imul(plain ^ kept, PRIME);
        plain2 = Math.imul(plain2 ^ plain, OTHER);
      }
      if ((classes & LETTERS) !== 0) letters += at - start;
      if (letters > 0) piece = Math.imul(piece ^ kept, PRIME);
    } else if (kind !== 0) {
      exact = Math.imul(exact ^ unit, PRIME);
      // In JSON text, a line break is written out.
      if (unit === BACKSLASH && text.charCodeAt(at) === 110) at++;
      else if (kind !== END) continue;
      if (letters >= FEW_LETTERS && pieces.length < MOST_PIECES) pieces.push(piece);
      piece = FIRST;
      letters = 0;
    }
  }
  return { exact: wide(exact, exact2), plain: wide(plain, plain2), form: wide(form, form2), pieces };
}

/** Whether a word with a digit looks as if a program had made it: a clock, a long number, a hexadecimal one, the mark of an element. */
function isMade(text: string, start: number, length: number, classes: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (before === 91 || before === 61) return true;
  if ((classes & SLASH) !== 0) return false;
  if ((classes & COLON) !== 0) return text.charCodeAt(start) < 65;
  return (classes & LETTERS) === HEX ? length >= 7 : (classes & LETTERS) === 0 && length > LONGEST_NUMBER;
}

/** Reads the words of a text. `said`: hashes of words that its call said already. */
export function readWords(text: string, said: readonly number[]): Words {
  let [masked, masked2, ids, ids2] = [FIRST, SECOND, FIRST, SECOND];
  let [flags, firstFlags, lastFlags, lineFlags] = [0, -1, 0, 0];
  let [line, kind, wordsInLine] = [FIRST, 0, 0];
  let [telling, tellingKind, last, lastKind] = [0, 0, 0, 0];
  let [held, number, meaningBefore] = [0, 0, 0];
  let [before, exit, exitCode] = [0, 0, undefined as number | undefined];
  let [denied, passed, isConfirming, isFirst] = [false, false, false, true];
  const end = text.length;
  for (let at = 0; at <= end; ) {
    const start = at;
    let unit = at < end ? text.charCodeAt(at) : LINE_BREAK;
    let what = kindAt(unit);
    if ((what & (LETTERS | DIGIT | SLASH)) !== 0) {
      let hash = FIRST;
      let bare = FIRST;
      let classes = 0;
      do {
        hash = mixed(hash, unit);
        classes |= what;
        if ((what & (LETTERS | DIGIT)) !== 0) bare = hash;
        unit = ++at < end ? text.charCodeAt(at) : LINE_BREAK;
        what = kindAt(unit);
      } while (what >= WORD);
      const hasDigit = (classes & DIGIT) !== 0;
      const isMasked = (hasDigit || (classes & SLASH) !== 0) && isVolatile(text, start, at, hasDigit);
      const mix = isMasked ? MASKED : bare;
      masked = Math.imul(masked ^ mix, PRIME);
      masked2 = Math.imul(masked2 ^ masked, OTHER);
      line = Math.imul(line ^ mix, PRIME);
      const idMix = isMasked || (hasDigit && isId(classes, at - start)) ? MASKED : bare;
      ids = Math.imul(ids ^ idMix, PRIME);
      ids2 = Math.imul(ids2 ^ ids, OTHER);
      if (!hasDigit && (classes & SLASH) === 0 && !said.includes(bare)) kind = (kind + Math.imul(bare, OTHER)) | 0;
      // Meanings.
      const isNumber = (classes & ~(JOINS | COLON)) === DIGIT;
      if (isNumber && exit === (EXIT | CODE)) {
        exitCode ??= Number.parseInt(text.slice(start, at).replace(/^\D+/, ""), 10);
        exit = 0;
      }
      const together = meaningOf(pairOf(before, bare));
      let meaning = meaningOf(bare) | together;
      if (isNumber && text.slice(start, at) === "0") meaning |= DENIES;
      if ((classes & LETTERS) !== 0 && !hasDigit && meaning === 0 && endsInError(text, at)) meaning = NAMES;
      if (meaning !== 0) {
        if ((meaning & EXIT) !== 0) exit = EXIT;
        if ((meaning & CODE) !== 0 && exit !== 0) exit |= CODE;
        if ((meaning & PASSES) !== 0 && wordsInLine === 0) passed = true;
        if ((meaning & EMPTY) !== 0) held = 0;
        lineFlags |= held;
        const last = text.charCodeAt(at - 1);
        const isMarked = (meaning & MARKED) !== 0 && (unit === 33 || last === 58 || last === 46);
        const isNamed = isMarked || ((meaning & NAMES) !== 0 && wordsInLine < 2);
        held =
          (denied && together === 0) || passed
            ? 0
            : (meaning & KEPT) | (isNamed ? FAILS : 0) | (number > 0 ? meaning & COUNTED : 0);
        // `"ok": false`
        if ((meaning & EMPTY) !== 0 && (meaningBefore & DONE) !== 0) lineFlags |= FAILS;
        denied = (meaning & DENIES) !== 0 && (meaning & FAILS) === 0;
      } else {
        lineFlags |= held;
        held = 0;
        denied = false;
      }
      number = isNumber ? Number.parseInt(text.slice(start, at), 10) || 0 : 0;
      if (isFirst && (classes & LETTERS) !== 0) {
        isFirst = false;
        isConfirming = (meaning & DONE) !== 0 || (at - start > 3 && /ed[.:]?$/.test(text.slice(at - 3, at)));
      }
      before = bare;
      meaningBefore = meaning;
      wordsInLine++;
      continue;
    }
    at++;
    const isWrittenOut = unit === BACKSLASH && text.charCodeAt(at) === 110;
    if (isWrittenOut) at++;
    if (unit !== LINE_BREAK && !isWrittenOut) {
      if (what === 0) continue;
      masked = Math.imul(masked ^ unit, PRIME);
      ids = Math.imul(ids ^ unit, PRIME);
      if (unit === 91 && text.charCodeAt(at) === 93) held = 0;
      // `"errors": []`, `"error": null`, `errors=0`
      if (unit === 44 || unit === 59 || unit === 123 || unit === 125) denied = false;
      continue;
    }
    if (wordsInLine > 0) {
      lineFlags |= held;
      if (firstFlags < 0) firstFlags = lineFlags;
      if ((lineFlags & (FAILS | TRANSIENT)) !== 0) [telling, tellingKind] = [line, kind];
      [last, lastKind, lastFlags] = [line, kind, lineFlags];
      flags |= lineFlags;
    }
    [line, kind, lineFlags, held, wordsInLine, before, meaningBefore, denied, passed] = [
      FIRST,
      0,
      0,
      0,
      0,
      0,
      0,
      false,
      false,
    ];
  }
  const hasTelling = telling !== 0;
  return {
    masked: wide(masked, masked2),
    ids: wide(ids, ids2),
    line: hasTelling ? telling : last,
    kind: hasTelling ? tellingKind : lastKind,
    flags,
    firstFlags: Math.max(0, firstFlags),
    lastFlags,
    exitCode,
    isConfirming,
  };
}

/** Letters with digits, and long numbers: what was made has another one each time. */
function isId(classes: number, length: number): boolean {
  if ((classes & LETTERS) !== 0) return length >= 4;
  return classes === DIGIT && length >= 5;
}

/** `ValueError`, `NotFoundException`. */
function endsInError(text: string, end: number): boolean {
  let at = end;
  while (at > 0 && (kinds[text.charCodeAt(at - 1)]! & JOINS) !== 0) at--;
  const size = text.endsWith("Error", at) ? 5 : text.endsWith("Exception", at) ? 9 : 0;
  const before = text.charCodeAt(at - size - 1);
  return size > 0 && before >= 97 && before <= 122;
}
