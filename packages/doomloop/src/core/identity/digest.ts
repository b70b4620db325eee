import { writeUtf8 } from "./utf8.ts";

/**
 * 128 bits of identity, as nine characters of 15 bits each.
 *
 * The characters are plain letters (no control character, no surrogate, no direction mark), so a digest can be a `Map` key, a JSON
 * string and printed text without being encoded first.
 */
export type Digest = string;

const FIRST_CHARACTER = 0x3400;
/** Characters that are hashed at a time. */
const PIECE = 8192;
const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;

/** Shared by all guards of a process: hashing is synchronous and runs no foreign code. */
const bytes = new Uint8Array(PIECE * 3 + 16);
const units = new Uint16Array(bytes.buffer);
const words = new Int32Array(bytes.buffer);
let h1 = 0;
let h2 = 0;
let h3 = 0;
let h4 = 0;

/**
 * The digest of a text: MurmurHash3 x86-128 of its UTF-8, each piece of 8,192 characters padded with zeros.
 *
 * In plain JavaScript it takes half the time of a native SHA-256, and it needs no platform module. A long text is read piece by piece,
 * so no buffer of its size is needed.
 */
export function digestOf(text: string): Digest {
  h1 = h2 = h3 = h4 = 0;
  let total = 0;
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.length <= PIECE ? text : text.slice(at, at + PIECE);
    const written = piece.isWellFormed() ? writeUtf8(piece, bytes) : writeUnits(piece);
    absorb(written);
    total += written;
  }
  return finish(total);
}

/** The digest of a list of texts. No two lists have the same. */
export function digestOfAll(...texts: readonly string[]): Digest {
  let all = "";
  for (const text of texts) all += `${text.length}:${text}`;
  return digestOf(all);
}

/** A digest made of two hashes of 32 bits, for what need not be told apart against somebody's will. */
export function shortDigest(one: number, other: number): Digest {
  const mask = 0x7fff;
  return String.fromCharCode(
    FIRST_CHARACTER + (one & mask),
    FIRST_CHARACTER + ((one >>> 15) & mask),
    FIRST_CHARACTER + ((one >>> 30) | ((other & 0x1fff) << 2)),
    FIRST_CHARACTER + ((other >>> 13) & mask),
    FIRST_CHARACTER + (other >>> 28),
  );
}

/** A digest for something that equals nothing, not even itself. */
export function uniqueDigest(what: string, index: number): Digest {
  return digestOfAll("unique", what, String(index));
}

/** A digest as 32 hexadecimal digits, to be shown. */
export function digestToHex(digest: Digest): string {
  const unit = (at: number): number => digest.charCodeAt(at) - FIRST_CHARACTER;
  return (
    hexOf(unit(0) | (unit(1) << 15) | (unit(2) << 30)) +
    hexOf((unit(2) >>> 2) | (unit(3) << 13) | (unit(4) << 28)) +
    hexOf((unit(4) >>> 4) | (unit(5) << 11) | (unit(6) << 26)) +
    hexOf((unit(6) >>> 6) | (unit(7) << 9) | (unit(8) << 24))
  );
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexOf(word: number): string {
  return HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!;
}

/** The identity of a loop, made from what tells it from every other loop, as 32 hexadecimal digits. */
export function loopIdentity(...parts: readonly string[]): string {
  return digestToHex(digestOfAll(...parts));
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

/** Ill-formed UTF-16 has no UTF-8, and two different lone surrogates must not become one replacement character. */
function writeUnits(piece: string): number {
  // Hashed from another state, so that it never equals a text in UTF-8.
  h1 = ~h1;
  for (let at = 0; at < piece.length; at++) units[at] = piece.charCodeAt(at);
  return piece.length * 2;
}

/** Hashes `count` bytes of the buffer, in blocks of four little-endian words. */
function absorb(count: number): void {
  bytes.fill(0, count, count + 16);
  let a = h1;
  let b = h2;
  let c = h3;
  let d = h4;
  for (let at = 0, end = ((count + 15) >>> 4) * 4; at < end; at += 4) {
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

function finish(total: number): Digest {
  h1 ^= total;
  h2 ^= total;
  h3 ^= total;
  h4 ^= total;
  spread();
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h3 = avalanche(h3);
  h4 = avalanche(h4);
  spread();
  const mask = 0x7fff;
  return String.fromCharCode(
    FIRST_CHARACTER + (h1 & mask),
    FIRST_CHARACTER + ((h1 >>> 15) & mask),
    FIRST_CHARACTER + ((h1 >>> 30) | ((h2 & 0x1fff) << 2)),
    FIRST_CHARACTER + ((h2 >>> 13) & mask),
    FIRST_CHARACTER + ((h2 >>> 28) | ((h3 & 0x7ff) << 4)),
    FIRST_CHARACTER + ((h3 >>> 11) & mask),
    FIRST_CHARACTER + ((h3 >>> 26) | ((h4 & 0x1ff) << 6)),
    FIRST_CHARACTER + ((h4 >>> 9) & mask),
    FIRST_CHARACTER + (h4 >>> 24),
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

/** Where a short hash (FNV-1a, 32 bits) begins, for what is compared often and need not be told apart surely. */
export const FNV_START = 0x811c9dc5 | 0;

/** A short hash with one more UTF-16 unit. */
export function fnv(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}
