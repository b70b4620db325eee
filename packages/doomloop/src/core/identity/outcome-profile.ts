import type { Digest } from "./digest.ts";

/**
 * An outcome in substance: what it says once volatile words are masked, cut into small labelled segments.
 *
 * Holds hashes only, so that it can be kept at rest.
 */
export interface OutcomeProfile {
  /** The whole text after masking. Equal digests of whole texts mean: the same in substance. */
  readonly digest: Digest;
  /**
   * Five 16-bit hashes a segment: its label, its value, its value with numbers masked (0 if it has none), and in two halves its words
   * without those of the call that brought it.
   */
  readonly segments: readonly number[];
}

/** How two outcomes of the same form differ. */
export interface OutcomeDifference {
  /** Share of the segments that are equal. */
  readonly similarity: number;
  /** Whether nothing differs but what each repeats of its own call. */
  readonly isEchoOnly: boolean;
  /** Whether nothing but numbers differs. */
  readonly isInNumbersOnly: boolean;
}

/** Outcomes at least this much alike are taken for the same, if they are also of the same length. */
const SIMILAR = 0.9;
const LENGTH_TOLERANCE = 0.02;
export const SEGMENT_LENGTH = 5;
/** In the third hash of a segment: it has a number. */
export const BEARS_NUMBER = 1;

/**
 * Compares two outcomes segment by segment; undefined if one says more than the other. Of excerpts that cannot be said:
 * which lines they hold depends on where they were cut.
 */
export function compareOutcomes(
  one: OutcomeProfile,
  other: OutcomeProfile,
  areWhole = true,
): OutcomeDifference | undefined {
  const a = one.segments;
  const b = other.segments;
  if (Math.abs(a.length - b.length) > SEGMENT_LENGTH || a.length === 0 || b.length === 0) return undefined;
  const shared = sharedSegments(a, b) * SEGMENT_LENGTH;
  if (areWhole && a.length !== b.length && shared === Math.min(a.length, b.length)) return undefined;
  return {
    similarity: shared / Math.max(a.length, b.length),
    isEchoOnly: a.length === b.length && differInEchoOnly(a, b),
    isInNumbersOnly: a.length === b.length && differInNumbersOnly(a, b),
  };
}

/** Whether a difference is small enough for the outcomes to be taken for the same. */
export function isSimilar({ similarity }: OutcomeDifference): boolean {
  return similarity >= SIMILAR;
}

/**
 * Whether another output can be like one by its length, with some characters of `slack` for short ones: a look that saves most
 * of the comparing.
 */
export function isOfLength(one: number, other: number, slack = 0): boolean {
  return Math.abs(one - other) <= Math.max(slack, LENGTH_TOLERANCE * one);
}

function differInEchoOnly(a: readonly number[], b: readonly number[]): boolean {
  for (let at = 3; at < a.length; at += SEGMENT_LENGTH) if (a[at] !== b[at] || a[at + 1] !== b[at + 1]) return false;
  return true;
}

/** Whether nothing but numbers differs, place by place. */
function differInNumbersOnly(a: readonly number[], b: readonly number[]): boolean {
  for (let at = 0; at < a.length; at += SEGMENT_LENGTH) {
    if (a[at] === b[at] && a[at + 1] === b[at + 1]) continue;
    if (a[at] !== b[at] || a[at + 2] !== b[at + 2] || (a[at + 2]! & BEARS_NUMBER) === 0) return false;
  }
  return true;
}

/** How many segments stand in both, wherever they stand. */
function sharedSegments(a: readonly number[], b: readonly number[]): number {
  const left = new Map<number, number>();
  for (let at = 0; at < a.length; at += SEGMENT_LENGTH) {
    const key = a[at]! * 65_536 + a[at + 1]!;
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < b.length; at += SEGMENT_LENGTH) {
    const key = b[at]! * 65_536 + b[at + 1]!;
    const count = left.get(key) ?? 0;
    if (count === 0) continue;
    left.set(key, count - 1);
    shared++;
  }
  return shared;
}
