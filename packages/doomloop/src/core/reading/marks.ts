/**
 * What the run has met, as far as it remembers: a table of 16-bit marks, in which newer ones take the place of older ones. Plain data,
 * empty until something was met.
 */
export interface Marks {
  /** A plain list after a snapshot was read. */
  marks: Uint16Array | readonly number[];
}

/** How many are remembered. A power of two. */
const SLOTS = 1024;
/** How many share a place, the latest first. With few, the calls of a long cycle push each other out in every lap. */
const SHARED = 8;
const PLACES = SLOTS / SHARED - 1;

export function createMarks(): Marks {
  return { marks: [] };
}

/** Remembers a hash of 32 bits. Returns whether it was not known. */
export function mark(table: Marks, hash: number): boolean {
  const marks = marksOf(table);
  const mixed = mix(hash);
  const own = markOf(mixed);
  const start = placeOf(mixed);
  let at = start;
  const end = start + SHARED - 1;
  while (at < end && marks[at] !== own) at++;
  const isNew = marks[at] !== own;
  for (; at > start; at--) marks[at] = marks[at - 1]!;
  marks[start] = own;
  return isNew;
}

/** Whether a hash is known. */
export function isMarked({ marks }: Marks, hash: number): boolean {
  const mixed = mix(hash);
  const own = markOf(mixed);
  const start = placeOf(mixed);
  for (let at = start; at < start + SHARED; at++) if (marks[at] === own) return true;
  return false;
}

function mix(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

function placeOf(mixed: number): number {
  return (mixed & PLACES) * SHARED;
}

/** 0 is an empty place. */
function markOf(mixed: number): number {
  return mixed >>> 16 || 1;
}

/** The table as numbers of two bytes each: a list of them takes four times the space. */
function marksOf(table: Marks): Uint16Array {
  if (table.marks instanceof Uint16Array && table.marks.length === SLOTS) return table.marks;
  const marks = new Uint16Array(SLOTS);
  if (Array.isArray(table.marks)) marks.set(table.marks.slice(0, SLOTS));
  table.marks = marks;
  return marks;
}
