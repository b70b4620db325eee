import {
  gram,
  longestPeriod,
  note,
  noteNumber,
  numberFlag,
  numberSign,
  placeMask,
  type Stream,
  spread,
} from "./text-stream.ts";

export const longestPiece = 65_536;
const longestRead = 16_384;

const letter = 0;
const digit = 1;
const space = 2;
const mark = 3;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return space;
  if (code >= 48 && code <= 57) return digit;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? letter : mark;
});

/** Reads text into a stream, normalised: a run of white space, of digits or of one mark counts as one character. */
export function readText(stream: Stream, text: string): void {
  let { hash, last, number, quiet } = stream;
  for (let index = text.length > longestPiece ? text.length - longestRead : 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    const kind = code < 128 ? asciiKinds[code]! : kindOf(code);
    if (kind === digit) {
      number = ((number < 0 ? 0 : number * 10) + code - 48) & (numberFlag - 1);
      last = 0;
      continue;
    }
    if (number >= 0) {
      hash = ((hash << 2) + spread(numberSign)) | 0;
      quiet++;
      noteNumber(stream, quiet > gram ? 0 : numberFlag | number);
      number = -1;
    }
    if (kind === letter) {
      last = 0;
      quiet = 0;
    } else {
      if (kind === space) code = 32;
      if (code === last) continue;
      last = code;
      quiet++;
    }
    hash = ((hash << 2) + spread(code)) | 0;
    note(stream, quiet > gram ? 0 : keyOf(hash));
  }
  stream.hash = hash;
  stream.last = last;
  stream.number = number;
  stream.quiet = Math.min(quiet, gram + 1);
  if (stream.position >= 2 * longestPeriod) stream.position = longestPeriod + (stream.position & placeMask);
}

function kindOf(code: number): number {
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff || (code >= 0x2000 && code < 0x2010)) return space;
  const isPunctuation = code < 0xc0 || (code > 0x200f && code < 0x2070) || (code > 0xff00 && code < 0xff10);
  const isDrawn = code >= 0x2500 && code < 0x2600;
  return isPunctuation || isDrawn || (code > 0x3000 && code < 0x3040) ? mark : letter;
}

/** Never 0, and always below the flag of numbers. */
function keyOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 17 || 1;
}
