/** Embedded engines have no encoder. Bytes are the same with and without it, so decisions are, too. */
const encoder = typeof TextEncoder === "function" ? new TextEncoder() : undefined;

/** Writes a text as UTF-8 and returns how many bytes it takes. There must be room for three bytes a character. */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  if (encoder !== undefined) return encoder.encodeInto(text, bytes).written;
  let end = 0;
  for (const character of text.toWellFormed()) {
    const point = character.codePointAt(0)!;
    const more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes[end++] = more === 0 ? point : (0xff00 >> (more + 1)) | (point >> (6 * more));
    for (let left = more - 1; left >= 0; left--) bytes[end++] = 0x80 | ((point >> (6 * left)) & 0x3f);
  }
  return end;
}

/** How many bytes of UTF-8 a text takes. */
export function utf8Length(text: string): number {
  return writeUtf8(text, new Uint8Array(text.length * 3));
}

/** A text with one character for each byte, so that indices are the same. For some thousand bytes. */
export function latinText(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes);
}
