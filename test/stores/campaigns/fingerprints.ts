/** A fingerprint of its own for each number. */
export function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}
