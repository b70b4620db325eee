import { type Draw, drawDigits, drawLetters, drawPicture, inCaseOf, WORD } from "./letters.ts";
import { ENDINGS, VOCABULARY } from "./vocabulary.ts";

/**
 * Pseudonyms for foreign words. The same word always gets the same pseudonym. Pseudonyms are random rather than
 * computed, so nobody can verify a guess.
 */
export interface Pseudonyms {
  /** For a run of letters and digits. */
  nameOf(run: string): string;
  /**
   * For a number or a chain of numbers. Two that begin alike, such as addresses or times of one day, still do
   * afterwards.
   */
  chainOf(text: string): string;
  /** For an id made of groups of hexadecimal digits. */
  hexOf(text: string): string;
  /** For numbers or single letters in a row, which may be spelt-out text. */
  rowOf(text: string): string;
  /** For characters written as numbers. */
  codesOf(text: string): string;
  /** For a picture made of marks. */
  pictureOf(text: string): string;
  /** For text that is only compared for equality. */
  markOf(text: string): string;
}

export interface PseudonymsOptions {
  /**
   * Keeps the known part of longer words that begin or end with a word the core knows. The core needs these parts to
   * recognise some messages. But `Databricks` begins with such a word as well.
   * @default false
   */
  readonly keepsParts?: boolean;
}

/** The core compares this many letters to recognise forms of a word: `search`, `searches`, `searching`. */
const STEM = 5;
/** Shorter parts of a word have no stem. */
const SHORTEST_STEM = 3;
const TRIES = 40;
const MARK_LENGTH = 24;
const PIECES = /\d+|[^\d]+/g;
const CAMEL = /(?<=[a-z])(?=[A-Z])/;

/** Creates the pseudonyms for one export. */
export function createPseudonyms(draw: Draw, { keepsParts = false }: PseudonymsOptions = {}): Pseudonyms {
  const known = new Map<string, string>();
  const taken = new Set<string>();

  /** Draws a replacement once for each text, and avoids using it for another text. */
  const once = (kind: string, text: string, make: () => string): string => {
    const key = `${kind} ${text}`;
    let drawn = known.get(key);
    for (let tries = 0; drawn === undefined; tries++) {
      const candidate = make();
      if (tries < TRIES && (candidate === text || taken.has(`${kind} ${candidate}`))) continue;
      drawn = candidate;
    }
    known.set(key, drawn);
    taken.add(`${kind} ${drawn}`);
    return drawn;
  };

  const stemOf = (letters: string): string =>
    once("stem", letters, () => {
      const ending = keepsParts ? endingOf(letters) : "";
      return foreign(() => drawLetters(draw, letters.slice(0, letters.length - ending.length)) + ending);
    });

  /** Redacts a lower-case word. It stays if the core knows it. Its beginning and ending stay only with `keepsParts`. */
  const wordOf = (word: string): string => {
    if (VOCABULARY.has(word)) return word;
    const beginning = keepsParts ? beginningOf(word) : "";
    if (beginning === "" && word.length <= STEM) return stemOf(word);
    return once("word", word, () => {
      const begin = beginning || stemOf(word.slice(0, STEM));
      const rest = word.slice(begin.length);
      const drawn = begin + plainEnd(() => drawLetters(draw, rest));
      if (!keepsParts) return drawn;
      const ending = endingOf(word, word.length - Math.max(beginning.length, 1));
      return drawn.slice(0, drawn.length - ending.length) + ending;
    });
  };

  const nameOf = (run: string): string => {
    const pieces = run.split(CAMEL).flatMap((part) => part.match(PIECES) ?? []);
    if (VOCABULARY.has(lowerCase(run))) return run;
    if (pieces.length === 1) return inCaseOf(run, wordOf(lowerCase(run)));
    // Parts too short for a stem do not need the same replacement in other words.
    const own = once("run", lowerCase(run), () =>
      pieces
        .map((piece) => (/\d/.test(piece) ? drawDigits(draw, piece) : drawLetters(draw, lowerCase(piece))))
        .join(""),
    );
    let at = 0;
    return pieces
      .map((piece) => {
        const drawn = own.slice(at, at + piece.length);
        at += piece.length;
        if (/\d/.test(piece)) return drawn;
        const word = lowerCase(piece);
        return inCaseOf(piece, word.length < SHORTEST_STEM && !isKept(word, run) ? drawn : wordOf(word));
      })
      .join("");
  };

  const chainOf = (chain: string): string => {
    let drawn = "";
    let end = 0;
    for (const { 0: digits, index } of chain.matchAll(/\d+/g)) {
      const before = drawn + chain.slice(end, index);
      end = index + digits.length;
      drawn = once("chain", chain.slice(0, end), () => before + drawGroup(draw, digits));
    }
    return drawn + chain.slice(end);
  };

  return {
    nameOf,
    chainOf,
    hexOf: (text) => once("hex", lowerCase(text), () => drawHex(draw, text)),
    rowOf: (text) => once("row", text, () => drawRow(draw, text)),
    codesOf: (text) => once("codes", text, () => drawCodes(draw, text)),
    pictureOf: (text) => once("picture", text, () => drawPicture(draw, text)),
    markOf: (text) => once("mark", text, () => drawDigits(draw, "1".repeat(MARK_LENGTH))),
  };
}

/** Seconds or milliseconds since 1970, which the core masks. */
const EPOCH_TIME = /^1[5-9]\d{8}(?:\d{3})?$/;

/** Draws other digits. A time stays a time. */
function drawGroup(draw: Draw, digits: string): string {
  return EPOCH_TIME.test(digits) ? `1${5 + draw(5)}${drawDigits(draw, digits.slice(2))}` : drawDigits(draw, digits);
}

/** A short known word stays in a name made of words. In a name with digits it is a coincidence. */
function isKept(word: string, run: string): boolean {
  return VOCABULARY.has(word) && !/\d/.test(run);
}

/** From this length on, a known word is also found at the beginning of a longer one. */
const SHORTEST_BEGINNING = 4;
const LONGEST_BEGINNING = 20;
const stems: ReadonlySet<string> = new Set(
  [...VOCABULARY].filter((word) => word.length >= STEM).map((word) => word.slice(0, STEM)),
);

/** The longest known word at the beginning of a word, or the stem it shares with one. */
function beginningOf(word: string): string {
  for (let length = Math.min(word.length, LONGEST_BEGINNING); length >= SHORTEST_BEGINNING; length--)
    if (VOCABULARY.has(word.slice(0, length))) return word.slice(0, length);
  const stem = word.slice(0, STEM);
  return stems.has(stem) ? stem : "";
}

/** The longest ending that the core knows, at most `longest` characters. */
function endingOf(word: string, longest = word.length - 1): string {
  for (let length = longest; length > 1; length--) {
    const ending = word.slice(-length);
    if (ENDINGS.has(ending)) return ending;
  }
  return "";
}

/** Draws until the result is not a word that the core knows. */
function foreign(make: () => string): string {
  let drawn = make();
  for (let tries = 0; tries < TRIES && (VOCABULARY.has(drawn) || beginningOf(drawn) !== ""); tries++) drawn = make();
  return drawn;
}

/** Draws until the result has no ending that the core knows. */
function plainEnd(make: () => string): string {
  let drawn = make();
  for (let tries = 0; tries < TRIES && endingOf(`..${drawn}`) !== ""; tries++) drawn = make();
  return drawn;
}

const PIECE = new RegExp(`0x|\\d+|[A-Za-z]+|[${WORD}]`, "g");

/**
 * Replaces numbers and letters and keeps the separators. Zeros are replaced as well, because a row may consist of bits.
 */
function drawRow(draw: Draw, row: string): string {
  return row.replaceAll(PIECE, (piece) => {
    if (piece === "0x") return piece;
    return /\d/.test(piece) ? drawNumber(draw, piece) : inCaseOf(piece, drawLetters(draw, lowerCase(piece)));
  });
}

function drawNumber(draw: Draw, digits: string): string {
  const isAny = digits.length === 1 || digits.startsWith("0");
  return isAny ? digits.replaceAll(/\d/g, () => String(draw(10))) : drawDigits(draw, digits);
}

function drawHex(draw: Draw, text: string): string {
  return text.replaceAll(/[\dA-Fa-f]/g, (digit) =>
    /\d/.test(digit) ? String(draw(10)) : inCaseOf(digit, "abcdef"[draw(6)]!),
  );
}

const CODE =
  /%(?:25)?([\dA-Fa-f]{2})|[%\\]u([\dA-Fa-f]{4})|\\u\{([\dA-Fa-f]{1,6})\}|\\x([\dA-Fa-f]{2})|\\([0-7]{3})|&(?:amp;)?#(x?[\dA-Fa-f]{1,7})/g;
const HEX = "0123456789abcdef";
/** Leading digits that make a valid character number, by its number of digits. */
const LEADS = ["", "", "6", "4", "4", "2", "02"];

/** Replaces characters written as numbers. White space and marks stay, because the core splits text at them. */
function drawCodes(draw: Draw, codes: string): string {
  return codes.replaceAll(CODE, (code: string, ...groups: (string | undefined)[]) => {
    const [percent, escaped, braced, byte, octal, entity] = groups;
    const number = octal === undefined ? Number.parseInt((percent ?? escaped ?? braced ?? byte ?? entity)!, 16) : 0;
    const isMark = number > 0 && number < 128 && !/[\dA-Za-z]/.test(String.fromCharCode(number));
    // A decimal HTML entity is read as a hexadecimal number here, so it is always replaced.
    if (isMark && entity === undefined) return code;
    if (percent !== undefined) return `${code.slice(0, -2)}${number < 128 ? "6" : "a"}${HEX[1 + draw(15)]!}`;
    // From a script whose characters need no escaping.
    if (escaped !== undefined) return `${code.slice(0, 2)}${(0x4e00 + draw(0x5000)).toString(16)}`;
    if (braced !== undefined) return `\\u{${drawNumberOf(draw, braced)}}`;
    if (byte !== undefined) return `\\x${drawNumberOf(draw, byte)}`;
    if (octal !== undefined) return `\\3${draw(8)}${draw(8)}`;
    return code.replace(entity!, drawHex(draw, entity!));
  });
}

function drawNumberOf(draw: Draw, digits: string): string {
  let drawn = LEADS[digits.length]!;
  while (drawn.length < digits.length) drawn += HEX[1 + draw(15)]!;
  return drawn;
}

/** In lower case, unless that has another length: a pseudonym is as long as what it stands for. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
