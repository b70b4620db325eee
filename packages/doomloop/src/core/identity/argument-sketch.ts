/**
 * What is kept of a call's arguments to tell whether another call is similar: hashes by field, no text.
 *
 * A flat list of 16-bit numbers, {@link FIELD_LENGTH} per top-level field: key, value (two), and a sketch of the value's
 * letter triples with numbers masked.
 */
export type ArgumentSketch = readonly number[];

/** Where the top-level fields begin in the canonical bytes of a call's arguments. */
export interface FieldMarks {
  readonly starts: readonly number[];
  readonly end: number;
}

const BINS = 24;
const FIELD_LENGTH = 3 + BINS / 2;
const MAX_FIELDS = 4;
const EMPTY_BIN = 0;
/** Letters in a row that make a word. */
const WORD = 3;

/** Fields that choose a part of a whole: another value there is new ground, not another attempt. */
export const PAGING_FIELDS: readonly string[] =
  "offset limit page start end cursor line lines from to skip after before range view_range viewRange line_number start_line end_line startLine endLine first last count index position pageToken page_token chunk part".split(
    " ",
  );
const PAGING_KEYS: ReadonlySet<number> = new Set(PAGING_FIELDS.map((name) => hashOfName(name)));

/** Sketches the fields of canonical bytes (key text, then value, at each mark). Flags are left out: they say how, not what. */
export function sketchArguments(bytes: Uint8Array, marks: FieldMarks): ArgumentSketch {
  const sketch: number[] = [];
  for (let field = 0; field < marks.starts.length && sketch.length < MAX_FIELDS * FIELD_LENGTH; field++) {
    const start = marks.starts[field]!;
    const end = Math.min(marks.starts[field + 1] ?? marks.end, bytes.length);
    const keyEnd = valueStart(bytes, start, end);
    if (isFlag(bytes[keyEnd]!)) continue;
    const value = hashOfBytes(bytes, keyEnd, end);
    sketch.push(hashOfBytes(bytes, start + 5, keyEnd) & 0xffff, value & 0xffff, value >>> 16);
    pushBins(sketch, bytes, keyEnd + 5, end);
  }
  return sketch;
}

/** Where the value of a field begins: behind its key, which is a text with its kind and length before it. */
export function valueStart(bytes: Uint8Array, start: number, end: number): number {
  return Math.min(start + 5 + (bytes[start + 1]! | (bytes[start + 2]! << 8)), end);
}

/** Whether canonical bytes of this kind stand for a value that is nothing but a switch: undefined, null, false, true. */
export function isFlag(kind: number): boolean {
  return kind >= 1 && kind <= 4;
}

/** How similar two calls of one tool are, field by field, from 0 to 1: the mean over all fields of either. */
export function argumentSimilarity(one: ArgumentSketch, other: ArgumentSketch): number {
  const fields = one.length / FIELD_LENGTH;
  const otherFields = other.length / FIELD_LENGTH;
  if (fields === 0 && otherFields === 0) return 1;
  let shared = 0;
  let sum = 0;
  for (let field = 0; field < one.length; field += FIELD_LENGTH) {
    const match = fieldWithKey(other, one[field]!);
    if (match < 0) continue;
    shared++;
    sum += fieldSimilarity(one, field, other, match);
  }
  return sum / (fields + otherFields - shared);
}

/** Whether two calls differ in which part of a whole they ask for: another page, another range. */
export function coversNewGround(one: ArgumentSketch, other: ArgumentSketch): boolean {
  for (let field = 0; field < one.length; field += FIELD_LENGTH) {
    if (!PAGING_KEYS.has(one[field]!)) continue;
    const match = fieldWithKey(other, one[field]!);
    if (match < 0 || !isSameValue(one, field, other, match)) return true;
  }
  return false;
}

/** Whether two calls have a field with the same value. */
export function sharesValue(one: ArgumentSketch, other: ArgumentSketch): boolean {
  for (let field = 0; field < one.length; field += FIELD_LENGTH) {
    const match = fieldWithKey(other, one[field]!);
    if (match >= 0 && isSameValue(one, field, other, match)) return true;
  }
  return false;
}

function fieldWithKey(sketch: ArgumentSketch, key: number): number {
  for (let field = 0; field < sketch.length; field += FIELD_LENGTH) if (sketch[field] === key) return field;
  return -1;
}

function isSameValue(one: ArgumentSketch, field: number, other: ArgumentSketch, match: number): boolean {
  return one[field + 1] === other[match + 1] && one[field + 2] === other[match + 2];
}

/** 1 for equal values; else twice the shared letter triples over all of both (Dice), estimated from the bins. */
function fieldSimilarity(one: ArgumentSketch, field: number, other: ArgumentSketch, match: number): number {
  if (isSameValue(one, field, other, match)) return 1;
  let equal = 0;
  let filled = 0;
  for (let at = 3; at < FIELD_LENGTH; at++) {
    const a = one[field + at]!;
    const b = other[match + at]!;
    for (let shift = 0; shift < 16; shift += 8) {
      const x = (a >>> shift) & 0xff;
      const y = (b >>> shift) & 0xff;
      if (x === EMPTY_BIN && y === EMPTY_BIN) continue;
      filled++;
      if (x === y) equal++;
    }
  }
  if (filled === 0) return 0;
  const jaccard = equal / filled;
  return (2 * jaccard) / (1 + jaccard);
}

/**
 * One-permutation MinHash of the value's byte triples; a run of digits counts as one.
 *
 * A value without a word in it stays unsketched: another number, or another `a17`, is another thing, however much alike.
 */
function pushBins(sketch: number[], bytes: Uint8Array, start: number, end: number): void {
  const bins = new Uint32Array(BINS);
  let letters = 0;
  let hasWord = false;
  let a = 0;
  let b = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const c = byte >= 48 && byte <= 57 ? 35 : byte;
    if (c === 35 && b === 35) continue;
    letters = (c | 32) >= 97 && c !== 127 ? letters + 1 : 0;
    hasWord ||= letters >= WORD;
    let hash = Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
    const bin = hash % BINS;
    const rank = (hash >>> 8) | 1;
    if (bins[bin] === 0 || rank < bins[bin]!) bins[bin] = rank;
    a = b;
    b = c;
  }
  if (!hasWord) bins.fill(0);
  for (let bin = 0; bin < BINS; bin += 2) sketch.push(small(bins[bin]!) | (small(bins[bin + 1]!) << 8));
}

/** Eight bits of a rank, never those of an empty bin. */
function small(rank: number): number {
  return rank === 0 ? EMPTY_BIN : ((Math.imul(rank, 0x27d4eb2d) >>> 24) % 255) + 1;
}

/** A hash of 32 bits (FNV-1a, folded once). */
function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function hashOfName(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0xffff;
}
