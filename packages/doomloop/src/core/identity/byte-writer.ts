import { absorbBlocks, beginHash, type Digest, endHash } from "./digest.ts";

const CHUNK_BYTES = 1 << 16;
/** Texts up to this length are written by a loop: cheaper than a call of the encoder. */
const SHORT_TEXT = 24;

const encoder = new TextEncoder();
let bytes = new Uint8Array(CHUNK_BYTES);
let words = new Int32Array(bytes.buffer);
let end = 0;
let marks: number[] = [];
const float = new Float64Array(1);
const floatWords = new Int32Array(float.buffer);

/**
 * The one scratch buffer that values are written to before they are hashed.
 *
 * Shared by all guards of a process: writing and hashing are synchronous, and nothing foreign runs in between.
 */
export const byteWriter = {
  /** Forgets what was written. */
  begin(): void {
    end = 0;
    marks = [];
  },

  /** Remembers where a top-level field begins. */
  mark(): void {
    marks.push(end);
  },

  /** The positions marked since `begin`. */
  get marks(): readonly number[] {
    return marks;
  },

  /** Bytes written since `begin`. */
  get length(): number {
    return end;
  },

  byte(value: number): void {
    reserve(1);
    bytes[end++] = value;
  },

  uint32(value: number): void {
    reserve(4);
    bytes[end++] = value;
    bytes[end++] = value >>> 8;
    bytes[end++] = value >>> 16;
    bytes[end++] = value >>> 24;
  },

  float64(value: number): void {
    float[0] = value;
    this.uint32(floatWords[0]!);
    this.uint32(floatWords[1]!);
  },

  /** Writes a text with its kind and length before it, so that no two sequences of texts write the same bytes. */
  text(value: string): void {
    reserve(6 + value.length * 3);
    const start = end;
    end += 5;
    if (value.length > SHORT_TEXT || !writeAscii(value)) {
      end = start + 5;
      const { written } = encoder.encodeInto(value, bytes.subarray(end));
      end += written;
      if (written !== value.length && !value.isWellFormed()) {
        end = start + 5;
        writeUnits(value);
        writePrefix(start, 0x75, value.length);
        return;
      }
    }
    writePrefix(start, 0x73, end - start - 5);
  },

  /** The digest of all that was written since `begin`. */
  digest(): Digest {
    const padded = (end & 15) !== 0;
    reserve(16);
    if (padded) bytes.fill(0, end, (end | 15) + 1);
    const blocks = end >>> 4;
    beginHash();
    absorbBlocks(words, blocks);
    return endHash(words, blocks, padded, end);
  },

  /** Copies the beginning of what was written; returns how many bytes were copied. */
  copyHead(target: Uint8Array, at: number, limit: number): number {
    const count = Math.min(limit, end);
    for (let index = 0; index < count; index++) target[at + index] = bytes[index]!;
    return count;
  },
};

/**
 * The digest of one text of any length, read in pieces, so that a text of 100 MB needs no buffer of its size.
 *
 * Equals no digest of the writer's: other kinds of values begin with a kind byte.
 */
export function digestOfText(text: string): Digest {
  end = 0;
  beginHash();
  let read = 0;
  let carried = 0;
  let total = 0;
  let isChecked = false;
  do {
    const piece = encoder.encodeInto(
      read === 0 ? text : text.slice(read),
      carried === 0 ? bytes : bytes.subarray(carried),
    );
    read += piece.read;
    total += piece.written;
    if (!isChecked && piece.written !== piece.read) {
      if (!text.isWellFormed()) return digestOfUnits(text);
      isChecked = true;
    }
    const filled = carried + piece.written;
    const blocks = filled >>> 4;
    absorbBlocks(words, blocks);
    carried = filled & 15;
    if (carried > 0) bytes.copyWithin(0, blocks << 4, filled);
  } while (read < text.length);
  if (carried > 0) bytes.fill(0, carried, 16);
  return endHash(words, 0, carried > 0, total);
}

/** The digest of 16-bit units in a buffer of the caller's, which `view` shows as words. The buffer has room to pad. */
export function digestOfWords(units: Uint16Array, view: Int32Array, count: number): Digest {
  const padded = (count & 7) !== 0;
  if (padded) units.fill(0, count, (count | 7) + 1);
  beginHash();
  absorbBlocks(view, count >>> 3);
  return endHash(view, count >>> 3, padded, count * 2);
}

/** Ill-formed UTF-16 has no UTF-8: two different lone surrogates must not become one replacement character. */
function digestOfUnits(text: string): Digest {
  beginHash();
  const units = CHUNK_BYTES / 2;
  let at = 0;
  let filled = 0;
  while (at < text.length) {
    filled = 0;
    for (const stop = Math.min(text.length, at + units); at < stop; at++) {
      const unit = text.charCodeAt(at);
      bytes[filled++] = unit;
      bytes[filled++] = unit >>> 8;
    }
    if (filled === CHUNK_BYTES) absorbBlocks(words, CHUNK_BYTES >>> 4);
  }
  if (filled === CHUNK_BYTES) return endHash(words, 0, false, -text.length);
  absorbBlocks(words, filled >>> 4);
  const padded = (filled & 15) !== 0;
  if (padded) bytes.fill(0, filled, (filled | 15) + 1);
  return endHash(words, filled >>> 4, padded, -text.length);
}

function reserve(count: number): void {
  if (end + count <= bytes.length) return;
  let size = bytes.length * 2;
  while (size < end + count) size *= 2;
  const larger = new Uint8Array(size);
  larger.set(bytes);
  bytes = larger;
  words = new Int32Array(bytes.buffer);
}

function writeAscii(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (unit > 0x7f) return false;
    bytes[end++] = unit;
  }
  return true;
}

function writeUnits(value: string): void {
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    bytes[end++] = unit;
    bytes[end++] = unit >>> 8;
  }
}

function writePrefix(start: number, kind: number, length: number): void {
  bytes[start] = kind;
  bytes[start + 1] = length;
  bytes[start + 2] = length >>> 8;
  bytes[start + 3] = length >>> 16;
  bytes[start + 4] = length >>> 24;
}
