import type { Digest } from "../identity/digest.ts";

/**
 * An outcome in substance: its text with volatile words masked, cut into small segments.
 *
 * Holds only hashes, so that it can be saved.
 */
export interface OutcomeProfile {
  /** The whole text after masking. */
  readonly digest: Digest;
  /**
   * Hashes of 32 bits, each in two halves: first the text without its numbers, then two for each segment (all of it, and its words without
   * those of the call).
   */
  readonly segments: readonly number[];
}

/**
 * How alike two outcomes are: the same except for volatile words, mostly the same, or the same except for numbers. Undefined: not alike.
 */
export type Likeness = "same" | "similar" | "numbers" | undefined;

/** All of an outcome, or all except the words of its own call. */
export type Part = "all" | "others' words";

/** The share of segments that similar outcomes have in common. */
const SIMILAR = 0.9;
const LENGTH_TOLERANCE = 0.02;
const HEAD = 2;
const SEGMENT = 4;
/** Where in a segment the hash of a part of it begins. */
const PART_OFFSET: Readonly<Record<Part, number>> = { all: 0, "others' words": 2 };

/**
 * Compares two outcomes. A whole outcome that says all that the other says, and more, is not like it. Excerpts can be, because which lines
 * they hold depends on where they were cut.
 */
export function compareOutcomes(one: OutcomeProfile, other: OutcomeProfile, areWhole = true): Likeness {
  if (areWhole && one.digest === other.digest) return "same";
  const a = one.segments;
  const b = other.segments;
  const count = (a.length - HEAD) / SEGMENT;
  const others = (b.length - HEAD) / SEGMENT;
  if (Math.abs(count - others) > 1 || Math.min(count, others) <= 0) return undefined;
  const allowed = count - SIMILAR * Math.max(count, others);
  const missing = countMissing(a, b, allowed);
  if (areWhole && count !== others && count - missing === Math.min(count, others)) return undefined;
  if (missing <= allowed) return "similar";
  return a[0] === b[0] && a[1] === b[1] ? "numbers" : undefined;
}

/** How many segments of one are missing in the other. Stops counting above `allowed`. */
function countMissing(a: readonly number[], b: readonly number[], allowed: number): number {
  let missing = 0;
  for (let at = HEAD; at < a.length && missing <= allowed; at += SEGMENT) {
    if (a[at] === b[at] && a[at + 1] === b[at + 1]) continue;
    if (!hasSegment(b, a, at)) missing++;
  }
  return missing;
}

/** Whether each segment of an outcome stands in at least one of the others. */
export function stands({ segments }: OutcomeProfile, others: readonly OutcomeProfile[], part: Part): boolean {
  for (let at = HEAD + PART_OFFSET[part]; at < segments.length; at += SEGMENT)
    if (!others.some((other) => hasSegment(other.segments, segments, at))) return false;
  return true;
}

function hasSegment(all: readonly number[], segments: readonly number[], wanted: number): boolean {
  for (let at = wanted % SEGMENT; at < all.length; at += SEGMENT)
    if (at >= HEAD && all[at] === segments[wanted] && all[at + 1] === segments[wanted + 1]) return true;
  return false;
}

/**
 * Whether two outputs can be alike by their length, with `slack` characters for short ones. This saves most comparisons.
 */
export function isOfLength(one: number, other: number, slack = 0): boolean {
  return Math.abs(one - other) <= Math.max(slack, LENGTH_TOLERANCE * one);
}
