/** Of what words, numbers and emoji are made, for a class of a pattern. All else is white space and marks, by which the core cuts text. */
export const WORD = [
  "\\dA-Za-z\\u00aa\\u00b2\\u00b3\\u00b5\\u00b9\\u00ba\\u00bc-\\u00be\\u00c0-\\u167f\\u1681-\\u1fff",
  "\\u2070-\\u209f\\u2100-\\u218f\\u2300-\\u23ff\\u2460-\\u24ff\\u2600-\\u27bf\\u2900-\\u2bff\\u2c00-\\u2fdf",
  "\\u3007\\u3021-\\u3029\\u3040-\\ufefe\\uff10-\\uffff",
].join("");

/** Boxes, blocks, shapes and braille: what codes for cameras and drawings are made of. */
const SHAPES = "\\u2500-\\u25ff\\u2800-\\u28ff";

const MARKS = "!-/:-@[-`{-~";

const COLOUR = "(?:\\u001b|\\\\u001b|\\\\x1b|\\\\033|\\\\e)\\[[\\d;:]*m";

/** A line's first shape takes the space before it along: where a row of a picture begins is part of the picture. */
const OF_SHAPES = `(?:(?<![^\\n]) +)?[${SHAPES}][ ${SHAPES}]*`;

const LONG_MARKS = `[${MARKS}]{13,}`;

const LINE_OF_MARKS = `(?<![^\\n])[ \\t${MARKS}]{21,}(?![^\\r\\n])`;

/** Spaces on coloured ground. */
const OF_COLOURS = `(?:${COLOUR}[ ${SHAPES}]*){6,}`;

const PICTURE = new RegExp([LINE_OF_MARKS, OF_SHAPES, LONG_MARKS, OF_COLOURS].join("|"), "y");

/** Ends that are the beginning of what follows: an escape, a character by its number. */
const OPEN_END = /[\\%&#]{1,3}$/;

const NEXT = new RegExp(`[${WORD}]`, "y");

const BRACKETS = /^[[\]{}",:\\]+$/;

/** Where a picture may begin, for a pattern. */
export const PICTURE_START = `[${SHAPES}\\u001b]|(?<![^\\n]) +(?=[${SHAPES}])|${LINE_OF_MARKS}|${LONG_MARKS}`;

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The endings of files' names that tell nothing but what kind of file it is. */
export const FILE_ENDINGS = list(`
  ts tsx mts cts js jsx mjs cjs json jsonc jsonl md mdx txt rst tex py pyi ipynb rb go mod rs c h cc cpp cxx hpp cs java kt kts
  scala clj ex exs erl hs ml lua r jl zig nim sol dart swift php pl pm sh bash zsh fish ps1 bat cmd sql html htm css scss sass
  less vue svelte astro yml yaml toml ini cfg conf xml xsd csv tsv lock log proto graphql gql gradle tf hcl nix png jpg jpeg
  gif svg webp ico pdf parquet ipynb diff patch snap`);

/** Draws a whole number from 0 up to, and without, a limit. */
export type Draw = (limit: number) => number;

const HEX = "abcdef";
const OTHERS = "ghijklmnopqrstuvwxyz";
const ALL = HEX + OTHERS;
/** From here on letters are written without spaces, and the core counts each by itself. */
const FIRST_LONE = 0xe00;

/** Letters among these are marks to the core: they stay among them. */
const FIRST_SYMBOL = 0x2000;

/** Whether all letters are hexadecimal digits as well: by that the core tells ids from names. */
function isHex(letters: string): boolean {
  return /^[a-f]+$/i.test(letters);
}

/** Letters in the place of others, each of the same script: hexadecimal digits for such, and at least one other for all else. */
export function drawLetters(draw: Draw, letters: string): string {
  const alphabet = isHex(letters) ? HEX : ALL;
  let drawn = "";
  for (let at = 0; at < letters.length; at++) drawn += drawLetter(draw, letters.charCodeAt(at), alphabet);
  if (alphabet === HEX || !isHex(drawn)) return drawn;
  return drawn.slice(0, -1) + OTHERS[draw(OTHERS.length)]!;
}

/** Half an emoji stays half of one, so that text which was well-formed remains so. */
function drawLetter(draw: Draw, unit: number, alphabet: string): string {
  if (unit < 128) return alphabet[draw(alphabet.length)]!;
  if (unit >= 0xdc00 && unit < 0xe000) return String.fromCharCode(0xdc00 + draw(0x400));
  if (unit >= 0xd800 && unit < 0xdc00) return String.fromCharCode(0xd840 + draw(0x20));
  if (unit >= FIRST_SYMBOL && unit < 0x3040) return String.fromCharCode(0x2460 + draw(0x80));
  return String.fromCharCode(unit < FIRST_LONE ? 0x430 + draw(0x20) : 0x4e00 + draw(0x5000));
}

/** As many digits, with as many zeros before them; a number that does not begin with 0 does not begin with it afterwards. */
export function drawDigits(draw: Draw, digits: string): string {
  const zeros = /^0*/.exec(digits)![0];
  let drawn = zeros;
  while (drawn.length < digits.length) drawn += String(drawn === zeros ? 1 + draw(9) : draw(10));
  return drawn;
}

/** Letters in the case that those have in whose place they come. */
export function inCaseOf(written: string, letters: string): string {
  let cased = "";
  for (let at = 0; at < letters.length; at++) {
    const unit = written.charCodeAt(at);
    cased += unit >= 65 && unit <= 90 ? letters[at]!.toUpperCase() : letters[at]!;
  }
  return cased;
}

/** What a sticky pattern finds at a place; empty if it finds nothing. */
export function tokenAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** A picture that is made of marks, if one stands at a place; empty if not. */
export function pictureAt(text: string, at: number): string {
  const picture = tokenAt(PICTURE, text, at);
  return tokenAt(NEXT, text, at + picture.length) === "" ? picture : picture.replace(OPEN_END, "");
}

/** Whether a picture shows nothing: one mark over and over draws a line, and brackets are how data is nested. */
export function isPlainPicture(picture: string): boolean {
  const marks = picture.trim();
  return BRACKETS.test(marks) || (/^[!-~]/.test(marks) && marks === marks[0]!.repeat(marks.length));
}

/** As many marks, of two kinds. */
export function drawPicture(draw: Draw, picture: string): string {
  let drawn = "";
  while (drawn.length < picture.length) drawn += "#="[draw(2)]!;
  return drawn;
}
