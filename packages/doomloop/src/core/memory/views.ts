import { type ArgumentSketch, type FieldMarks, sketchArguments } from "../identity/argument-sketch.ts";
import { type ArgumentTokens, hashesOf, tokensOf } from "../identity/argument-tokens.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { describeOutcome } from "../identity/describe-outcome.ts";
import { beginningOf, endingOf } from "../identity/outcome-edges.ts";
import { compareOutcomes, type OutcomeDifference, SEGMENT_LENGTH } from "../identity/outcome-profile.ts";
import type { Said, Step } from "../step.ts";

/**
 * What of a step's arguments and outcome can be compared by likeness.
 *
 * Describing costs more than everything else together, and most steps are never compared. So excerpts are kept as they are and described on
 * demand; at rest all are described, because raw arguments and results are never kept there.
 */
export interface KeptArguments {
  bytes: Uint8Array | undefined;
  readonly marks: FieldMarks;
  sketch: ArgumentSketch;
  tokens: ArgumentTokens;
}

const ARGUMENT_BYTES = 512;
/** Texts up to this length are kept whole. */
const WHOLE = 2048;
const EXCERPT_HEAD = 1024;
const EXCERPT_TAIL = 512;
/** How much the lengths of two outcomes may differ that say the same in another order. */
const RESEMBLING = 0.25;

/** All of an outcome, or all but the words of its own call. */
export type Part = "all" | "others' words";

/** Keeps the canonical bytes that the byte writer holds. */
export function keepArguments(): KeptArguments {
  const bytes = new Uint8Array(Math.min(ARGUMENT_BYTES, byteWriter.length));
  const end = byteWriter.copyHead(bytes, 0, ARGUMENT_BYTES);
  return { bytes, marks: { starts: byteWriter.marks, end }, sketch: [], tokens: [] };
}

/** Keeps what an outcome says; `length` is that of the whole output, of which the text may be a part. */
export function keepOutcome(text: string, length: number): Said {
  return {
    text: text.length <= WHOLE ? text : excerpt(text, text.length < length),
    digest: "",
    segments: [],
    isWhole: text.length <= WHOLE && text.length === length,
    beginning: beginningOf(text),
    ending: endingOf(text),
  };
}

/** Lets go of what can be compared: the step is too long ago. */
export function forgetView(step: Step): void {
  step.arguments = undefined;
  step.said = undefined;
}

/** Undefined once the step is too long ago. */
export function argumentsOf({ arguments: kept }: Step): KeptArguments | undefined {
  if (kept?.bytes !== undefined) {
    kept.sketch = sketchArguments(kept.bytes, kept.marks);
    kept.tokens = tokensOf(kept.bytes, kept.marks);
    kept.bytes = undefined;
  }
  return kept;
}

/** What an outcome says, described; undefined once the step is too long ago. */
export function saidBy(step: Step): Said | undefined {
  const { said } = step;
  if (said?.text !== undefined) {
    const own = argumentsOf(step);
    const { digest, segments } = describeOutcome(said.text, own && hashesOf(own.tokens));
    said.digest = digest;
    said.segments = segments;
    said.text = undefined;
  }
  return said;
}

/**
 * How the outcomes of two steps differ, or that they are the same in substance. Undefined where they have nothing to do with each
 * other, and where one of them is too long ago.
 */
export function compareSteps(one: Step, other: Step): OutcomeDifference | "same" | undefined {
  if (one.said?.beginning !== other.said?.beginning) return undefined;
  // Where outcomes tell of failure, the last line says which.
  if (one.failure !== undefined && one.said?.ending !== other.said?.ending) return undefined;
  const first = saidBy(one);
  const second = saidBy(other);
  if (first === undefined || second === undefined) return undefined;
  const areWhole = first.isWhole && second.isWhole;
  return areWhole && first.digest === second.digest ? "same" : compareOutcomes(first, second, areWhole);
}

/** Whether two outcomes may say the same, by a look that costs nothing: they begin and end alike, and are of about the same length. */
export function mayResemble(one: Step, other: Step): boolean {
  if (one.said === undefined || other.said === undefined) return false;
  if (one.said.beginning !== other.said.beginning || one.said.ending !== other.said.ending) return false;
  return Math.abs(one.length - other.length) <= RESEMBLING * one.length;
}

/** Whether all that a step's outcome says, or all but what it repeats of its own call, stands in earlier ones. */
export function isLikeEarlier(step: Step, steps: readonly Step[], part: Part): boolean {
  let unseen: Set<number> | undefined;
  for (const earlier of steps) {
    if (earlier.index >= step.index || !mayResemble(step, earlier)) continue;
    unseen ??= new Set(piecesOf(saidBy(step)!, part));
    for (const piece of piecesOf(saidBy(earlier)!, part)) unseen.delete(piece);
    if (unseen.size === 0) return true;
  }
  return false;
}

/** The parts of an outcome, told apart by label and value, or by the words that are not of the call. */
function piecesOf({ segments }: Said, part: Part): number[] {
  const from = part === "all" ? 0 : 3;
  const pieces: number[] = [];
  for (let at = 0; at < segments.length; at += SEGMENT_LENGTH)
    pieces.push(segments[at + from]! * 65_536 + segments[at + from + 1]!);
  return pieces;
}

/**
 * Head and tail of a long output, whole lines where it has any, copied so that the whole of it can be freed. One that was
 * cut by the host has no tail: what stands last depends on where it was cut.
 */
function excerpt(text: string, isCut: boolean): string {
  const headEnd = text.lastIndexOf("\n", EXCERPT_HEAD);
  const head = text.slice(0, headEnd > EXCERPT_HEAD / 2 ? headEnd : EXCERPT_HEAD);
  const tailStart = text.indexOf("\n", text.length - EXCERPT_TAIL);
  const hasLines = tailStart >= 0 && tailStart < text.length - EXCERPT_TAIL / 2;
  // Joining copies; a slice, or two of them put together, would hold on to `text`.
  return [head, isCut ? "" : text.slice(hasLines ? tailStart + 1 : -EXCERPT_TAIL)].join("\n");
}
