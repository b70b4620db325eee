/**
 * The characters of words, numbers and emoji, for use in a character class. The core splits text at everything else:
 * white space and punctuation.
 */
export const WORD = [
  "\\dA-Za-z\\u00aa\\u00b2\\u00b3\\u00b5\\u00b9\\u00ba\\u00bc-\\u00be\\u00c0-\\u167f\\u1681-\\u1fff",
  "\\u2070-\\u209f\\u2100-\\u218f\\u2300-\\u23ff\\u2460-\\u24ff\\u2600-\\u27bf\\u2900-\\u2bff\\u2c00-\\u2fdf",
  "\\u3007\\u3021-\\u3029\\u3040-\\ufefe\\uff10-\\uffff",
].join("");

/** Draws a random whole number from 0 up to, but not including, `limit`. */
export type Draw = (limit: number) => number;

const HEX = "abcdef";
const OTHERS = "ghijklmnopqrstuvwxyz";
const ALL = HEX + OTHERS;
/** From this code unit on, scripts are written without spaces, and the core counts each letter as a word. */
const FIRST_LONE = 0xe00;
/** From this code unit on, the core treats letters as marks. Their replacements come from the same range. */
const FIRST_SYMBOL = 0x2000;

/**
 * Draws letters to replace others, each from the same script. Hexadecimal letters stay hexadecimal. Other text gets at
 * least one letter that is not.
 */
export function drawLetters(draw: Draw, letters: string): string {
  const alphabet = isHex(letters) ? HEX : ALL;
  let drawn = "";
  for (let at = 0; at < letters.length; at++) drawn += drawLetter(draw, letters.charCodeAt(at), alphabet);
  if (alphabet === HEX || !isHex(drawn)) return drawn;
  return drawn.slice(0, -1) + OTHERS[draw(OTHERS.length)]!;
}

/** Whether all letters are also hexadecimal digits. The core uses this to tell ids from names. */
function isHex(letters: string): boolean {
  return /^[a-f]+$/i.test(letters);
}

/** Half of a surrogate pair stays the same half, so that well-formed text stays well-formed. */
function drawLetter(draw: Draw, unit: number, alphabet: string): string {
  if (unit < 128) return alphabet[draw(alphabet.length)]!;
  if (unit >= 0xdc00 && unit < 0xe000) return String.fromCharCode(0xdc00 + draw(0x400));
  if (unit >= 0xd800 && unit < 0xdc00) return String.fromCharCode(0xd840 + draw(0x20));
  if (unit >= FIRST_SYMBOL && unit < 0x3040) return String.fromCharCode(0x2460 + draw(0x80));
  return String.fromCharCode(unit < FIRST_LONE ? 0x430 + draw(0x20) : 0x4e00 + draw(0x5000));
}

/** Draws the same number of digits, with the same leading zeros and no additional ones. */
export function drawDigits(draw: Draw, digits: string): string {
  const zeros = /^0*/.exec(digits)![0];
  let drawn = zeros;
  while (drawn.length < digits.length) drawn += String(drawn === zeros ? 1 + draw(9) : draw(10));
  return drawn;
}

/** Gives letters the case of the letters they replace. */
export function inCaseOf(written: string, letters: string): string {
  let cased = "";
  for (let at = 0; at < letters.length; at++) {
    const unit = written.charCodeAt(at);
    cased += unit >= 65 && unit <= 90 ? letters[at]!.toUpperCase() : letters[at]!;
  }
  return cased;
}

/** Box drawing, blocks, shapes and braille: the characters of QR codes and drawings. */
const SHAPES = "\\u2500-\\u25ff\\u2800-\\u28ff";
const MARKS = "!-/:-@[-`{-~";
const COLOUR = "(?:\\u001b|\\\\u001b|\\\\x1b|\\\\033|\\\\e)\\[[\\d;:]*m";
/** Includes the spaces before the first shape of a line, because indentation is part of the picture. */
const OF_SHAPES = `(?:(?<![^\\n]) +)?[${SHAPES}][ ${SHAPES}]*`;
const LONG_MARKS = `[${MARKS}]{13,}`;
const LINE_OF_MARKS = `(?<![^\\n])[ \\t${MARKS}]{21,}(?![^\\r\\n])`;
/** Spaces with a background colour. */
const OF_COLOURS = `(?:${COLOUR}[ ${SHAPES}]*){6,}`;

/** Where a picture may begin, for use in a pattern. */
export const PICTURE_START = `[${SHAPES}\\u001b]|(?<![^\\n]) +(?=[${SHAPES}])|${LINE_OF_MARKS}|${LONG_MARKS}`;

const PICTURE = new RegExp([LINE_OF_MARKS, OF_SHAPES, LONG_MARKS, OF_COLOURS].join("|"), "y");
/** A trailing start of an escape or a numeric character, which belongs to the text that follows. */
const OPEN_END = /[\\%&#]{1,3}$/;
const NEXT = new RegExp(`[${WORD}]`, "y");

/** The picture made of marks that begins at a position, or an empty string. */
export function pictureAt(text: string, at: number): string {
  const picture = tokenAt(PICTURE, text, at);
  return tokenAt(NEXT, text, at + picture.length) === "" ? picture : picture.replace(OPEN_END, "");
}

const BRACKETS = /^[[\]{}",:\\]+$/;

/** Whether a picture has no content: one repeated mark is a line, and brackets are nested data. */
export function isPlainPicture(picture: string): boolean {
  const marks = picture.trim();
  return BRACKETS.test(marks) || (/^[!-~]/.test(marks) && marks === marks[0]!.repeat(marks.length));
}

/** Draws the same number of marks, of two kinds. */
export function drawPicture(draw: Draw, picture: string): string {
  let drawn = "";
  while (drawn.length < picture.length) drawn += "#="[draw(2)]!;
  return drawn;
}

/** What a sticky pattern matches at a position, or an empty string. */
export function tokenAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** File extensions that reveal nothing but the kind of file. */
export const FILE_ENDINGS = list(`
  ts tsx mts cts js jsx mjs cjs json jsonc jsonl md mdx txt rst tex py pyi ipynb rb go mod rs c h cc cpp cxx hpp cs java kt kts
  scala clj ex exs erl hs ml lua r jl zig nim sol dart swift php pl pm sh bash zsh fish ps1 bat cmd sql html htm css scss sass
  less vue svelte astro yml yaml toml ini cfg conf xml xsd csv tsv lock log proto graphql gql gradle tf hcl nix png jpg jpeg
  gif svg webp ico pdf parquet ipynb diff patch snap`);
