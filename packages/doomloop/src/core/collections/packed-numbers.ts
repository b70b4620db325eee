const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Writes 16-bit numbers as text that JSON needs not escape: eight characters for every three numbers. */
export function packNumbers(numbers: Iterable<number>): string {
  let text = "";
  let waiting = 0;
  let bits = 0;
  for (const number of numbers) {
    waiting = (waiting << 16) | number;
    for (bits += 16; bits >= 6; bits -= 6) text += alphabet[(waiting >>> (bits - 6)) & 63];
    waiting &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(waiting << (6 - bits)) & 63] : text;
}

/** Reads what {@link packNumbers} wrote; undefined for anything else, so that a damaged snapshot is noticed. */
export function unpackNumbers(text: unknown): Uint16Array | undefined {
  if (typeof text !== "string") return;
  const numbers = new Uint16Array(Math.floor((text.length * 6) / 16));
  let count = 0;
  let waiting = 0;
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const value = sextetOf(text.charCodeAt(index));
    if (value < 0) return;
    waiting = (waiting << 6) | value;
    bits += 6;
    if (bits < 16) continue;
    bits -= 16;
    numbers[count++] = waiting >>> bits;
    waiting &= (1 << bits) - 1;
  }
  return bits < 6 && waiting === 0 ? numbers : undefined;
}

function sextetOf(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 45) return 62;
  return code === 95 ? 63 : -1;
}
