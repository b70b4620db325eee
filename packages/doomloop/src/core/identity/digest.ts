/**
 * 128 bits of identity, as nine characters of 15 bits each.
 *
 * The characters are plain letters (no control, no surrogate, no combining direction mark), so that a digest is a
 * `Map` key, a JSON string and safe to print without being encoded first.
 */
export type Digest = string;

const FIRST_CHARACTER = 0x3400;
const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;

let h1 = 0;
let h2 = 0;
let h3 = 0;
let h4 = 0;

/**
 * Begins a MurmurHash3 x86-128. One hash runs at a time: the core is synchronous and runs no foreign code meanwhile.
 *
 * Chosen over SHA-256 because in plain JavaScript it costs half of the native digest and needs no platform module.
 */
export function beginHash(): void {
  h1 = h2 = h3 = h4 = 0;
}

/** Absorbs whole blocks of four little-endian words. */
export function absorbBlocks(words: Int32Array, blocks: number): void {
  let a = h1;
  let b = h2;
  let c = h3;
  let d = h4;
  for (let at = 0, end = blocks * 4; at < end; at += 4) {
    a ^= mix(words[at]!, C1, 15, C2);
    a = (Math.imul(((a << 19) | (a >>> 13)) + b, 5) + 0x561ccd1b) | 0;
    b ^= mix(words[at + 1]!, C2, 16, C3);
    b = (Math.imul(((b << 17) | (b >>> 15)) + c, 5) + 0x0bcaa747) | 0;
    c ^= mix(words[at + 2]!, C3, 17, C4);
    c = (Math.imul(((c << 15) | (c >>> 17)) + d, 5) + (0x96cd1c35 | 0)) | 0;
    d ^= mix(words[at + 3]!, C4, 18, C1);
    d = (Math.imul(((d << 13) | (d >>> 19)) + a, 5) + 0x32ac3b17) | 0;
  }
  h1 = a;
  h2 = b;
  h3 = c;
  h4 = d;
}

/** Ends the hash: a last block padded with zeros (`padded` false: there is none), and the number of bytes in all. */
export function endHash(words: Int32Array, lastBlock: number, padded: boolean, byteLength: number): Digest {
  if (padded) {
    const at = lastBlock * 4;
    h4 ^= mix(words[at + 3]!, C4, 18, C1);
    h3 ^= mix(words[at + 2]!, C3, 17, C4);
    h2 ^= mix(words[at + 1]!, C2, 16, C3);
    h1 ^= mix(words[at]!, C1, 15, C2);
  }
  h1 ^= byteLength;
  h2 ^= byteLength;
  h3 ^= byteLength;
  h4 ^= byteLength;
  spread();
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h3 = avalanche(h3);
  h4 = avalanche(h4);
  spread();
  return fromWords(h1, h2, h3, h4);
}

/** A digest as 32 hexadecimal digits, for people. */
export function digestToHex(digest: Digest): string {
  const words = [0, 0, 0, 0];
  for (let bit = 0; bit < 128; bit++) {
    const unit = digest.charCodeAt(Math.floor(bit / 15)) - FIRST_CHARACTER;
    if ((unit >>> (bit % 15)) & 1) words[bit >>> 5]! |= 1 << (bit & 31);
  }
  return words.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** 30 of a digest's bits as an integer: enough to skip most comparisons, never enough to decide one. */
export function digestHint(digest: Digest): number {
  return (digest.charCodeAt(0) - FIRST_CHARACTER) | ((digest.charCodeAt(1) - FIRST_CHARACTER) << 15);
}

/** Whether a foreign value has the form of a digest. */
export function isDigest(value: unknown): value is Digest {
  if (typeof value !== "string" || value.length !== 9) return false;
  for (let at = 0; at < 9; at++) {
    const unit = value.charCodeAt(at) - FIRST_CHARACTER;
    if (unit < 0 || unit > 0x7fff) return false;
  }
  return true;
}

function fromWords(a: number, b: number, c: number, d: number): Digest {
  const mask = 0x7fff;
  return String.fromCharCode(
    FIRST_CHARACTER + (a & mask),
    FIRST_CHARACTER + ((a >>> 15) & mask),
    FIRST_CHARACTER + ((a >>> 30) | ((b & 0x1fff) << 2)),
    FIRST_CHARACTER + ((b >>> 13) & mask),
    FIRST_CHARACTER + ((b >>> 28) | ((c & 0x7ff) << 4)),
    FIRST_CHARACTER + ((c >>> 11) & mask),
    FIRST_CHARACTER + ((c >>> 26) | ((d & 0x1ff) << 6)),
    FIRST_CHARACTER + ((d >>> 9) & mask),
    FIRST_CHARACTER + (d >>> 24),
  );
}

function mix(word: number, first: number, turn: number, second: number): number {
  const product = Math.imul(word, first);
  return Math.imul((product << turn) | (product >>> (32 - turn)), second);
}

function avalanche(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function spread(): void {
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
}
