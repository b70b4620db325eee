import type { Digest } from "./digest.ts";

/**
 * An outcome in substance: what it says once volatile words are masked, cut into small labelled segments.
 *
 * Holds hashes only, so that it can be kept at rest.
 */
export interface OutcomeProfile {
  /** The whole text after masking. Equal digests of whole texts mean: the same in substance. */
  readonly digest: Digest;
  /** Three 16-bit hashes a segment: its label, its value, and its value with numbers masked (0 if those matter). */
  readonly segments: readonly number[];
}

/** How two outcomes of the same form differ. */
export interface OutcomeDifference {
  /** Share of the segments that are equal. */
  readonly similarity: number;
  /** Labels of the segments that differ, if all of them differ in nothing but a number; else undefined. */
  readonly numbersUnder: readonly number[] | undefined;
}

const SEGMENT_LENGTH = 3;

/** Compares two outcomes segment by segment; undefined if they differ in form: then one says more than the other. */
export function compareOutcomes(one: OutcomeProfile, other: OutcomeProfile): OutcomeDifference | undefined {
  const a = one.segments;
  const b = other.segments;
  if (a.length !== b.length || a.length === 0) return undefined;
  const labels: number[] = [];
  let equal = 0;
  let isNumbersOnly = true;
  for (let at = 0; at < a.length; at += SEGMENT_LENGTH) {
    if (a[at] === b[at] && a[at + 1] === b[at + 1]) {
      equal++;
      continue;
    }
    if (a[at] === b[at] && a[at + 2] === b[at + 2] && a[at + 2] !== 0) labels.push(a[at]!);
    else isNumbersOnly = false;
  }
  return {
    similarity: (equal * SEGMENT_LENGTH) / a.length,
    numbersUnder: isNumbersOnly && labels.length > 0 ? labels : undefined,
  };
}
