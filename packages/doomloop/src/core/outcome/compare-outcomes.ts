import type { Digest } from "../identity/digest.ts";

/**
 * An outcome in substance: what it says once volatile words are masked, cut into small segments.
 *
 * Holds hashes only, so that it can be kept at rest.
 */
export interface OutcomeProfile {
  /** The whole text after masking. */
  readonly digest: Digest;
  /** Hashes of 32 bits, each in two halves: the text without its numbers, then two a segment: all of it, and its words without those of the call. */
  readonly segments: readonly number[];
}

/**
 * How much alike two outcomes are: the same but for volatile words, mostly the same, the same but for what each repeats of its own
 * call, or the same but for numbers. Undefined: each says something else.
 */
export type Likeness = "same" | "similar" | "echo" | "numbers" | undefined;

/** All of an outcome, or all but the words of its own call. */
export type Part = "all" | "others' words";

/** Share of the segments that similar outcomes have in common. */
const SIMILAR = 0.9;
const LENGTH_TOLERANCE = 0.02;
const HEAD = 2;
const SEGMENT = 4;

/**
 * Compares two outcomes. Of whole ones, one that says all that the other says and more is not like it. Of excerpts that cannot be said: which lines they
 * hold depends on where they were cut.
 */
export function compareOutcomes(one: OutcomeProfile, other: OutcomeProfile, areWhole = true): Likeness {
  if (areWhole && one.digest === other.digest) return "same";
  const a = one.segments;
  const b = other.segments;
  if (Math.abs(a.length - b.length) > SEGMENT || Math.min(a.length, b.length) <= HEAD) return undefined;
  const pieces = piecesOf(one, "all");
  const shared = sharedPieces(pieces, piecesOf(other, "all"));
  if (areWhole && a.length !== b.length && shared === (Math.min(a.length, b.length) - HEAD) / SEGMENT) return undefined;
  if (shared >= (SIMILAR * (Math.max(a.length, b.length) - HEAD)) / SEGMENT) return "similar";
  const echoes = piecesOf(other, "others' words");
  if (a.length === b.length && piecesOf(one, "others' words").every((piece, at) => piece === echoes[at])) return "echo";
  return a[0] === b[0] && a[1] === b[1] ? "numbers" : undefined;
}

/** The segments of an outcome as numbers, in order. */
export function piecesOf({ segments }: OutcomeProfile, part: Part): number[] {
  const pieces: number[] = [];
  for (let at = part === "all" ? HEAD : HEAD + 2; at < segments.length; at += SEGMENT)
    pieces.push(segments[at]! * 65_536 + segments[at + 1]!);
  return pieces;
}

/**
 * Whether another output can be like one by its length, with some characters of `slack` for short ones: a look that saves most
 * of the comparing.
 */
export function isOfLength(one: number, other: number, slack = 0): boolean {
  return Math.abs(one - other) <= Math.max(slack, LENGTH_TOLERANCE * one);
}

/** How many pieces stand in both, wherever they stand. */
function sharedPieces(pieces: readonly number[], others: readonly number[]): number {
  const left = new Map<number, number>();
  for (const piece of pieces) left.set(piece, (left.get(piece) ?? 0) + 1);
  let shared = 0;
  for (const piece of others) {
    const count = left.get(piece) ?? 0;
    if (count === 0) continue;
    left.set(piece, count - 1);
    shared++;
  }
  return shared;
}
