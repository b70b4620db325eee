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
