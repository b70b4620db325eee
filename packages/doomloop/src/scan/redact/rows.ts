import { type Draw, drawDigits, drawLetters, inCaseOf } from "./letters.ts";
import { WORD } from "./word-characters.ts";

const PIECE = new RegExp(`0x|\\d+|[A-Za-z]+|[${WORD}]`, "g");

/** Numbers and letters in the place of others, with what stands between them. Zeros are drawn, too: a row may be one of bits. */
export function drawRow(draw: Draw, row: string): string {
  return row.replaceAll(PIECE, (piece) => {
    if (piece === "0x") return piece;
    return /\d/.test(piece) ? drawNumber(draw, piece) : inCaseOf(piece, drawLetters(draw, piece.toLowerCase()));
  });
}

function drawNumber(draw: Draw, digits: string): string {
  const isAny = digits.length === 1 || digits.startsWith("0");
  return isAny ? digits.replaceAll(/\d/g, () => String(draw(10))) : drawDigits(draw, digits);
}

/** Hexadecimal digits in the place of others. */
export function drawHex(draw: Draw, text: string): string {
  return text.replaceAll(/[\dA-Fa-f]/g, (digit) =>
    /\d/.test(digit) ? String(draw(10)) : inCaseOf(digit, "abcdef"[draw(6)]!),
  );
}

const CODE =
  /%(?:25)?([\dA-Fa-f]{2})|[%\\]u([\dA-Fa-f]{4})|\\u\{([\dA-Fa-f]{1,6})\}|\\x([\dA-Fa-f]{2})|\\([0-7]{3})|&(?:amp;)?#(x?[\dA-Fa-f]{1,7})/g;
const HEX = "0123456789abcdef";
/** What a character's number begins with, by how many digits it has, so that it is one. */
const LEADS = ["", "", "6", "4", "4", "2", "02"];

/** Characters written by their numbers in the place of others. White space and marks stay: text is cut by them. */
export function drawCodes(draw: Draw, codes: string): string {
  return codes.replaceAll(CODE, (code: string, ...groups: (string | undefined)[]) => {
    const [percent, escaped, braced, byte, octal, entity] = groups;
    const number = octal === undefined ? Number.parseInt((percent ?? escaped ?? braced ?? byte ?? entity)!, 16) : 0;
    const isMark = number > 0 && number < 128 && !/[\dA-Za-z]/.test(String.fromCharCode(number));
    // What HTML writes in decimal digits reads as another number here: it is drawn, whatever it is.
    if (isMark && entity === undefined) return code;
    if (percent !== undefined) return `${code.slice(0, -2)}${number < 128 ? "6" : "a"}${HEX[1 + draw(15)]!}`;
    // One of a script that nobody has to escape.
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
