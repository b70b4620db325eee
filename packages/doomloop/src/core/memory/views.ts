import { type ArgumentWords, hashesOf, wordsOf } from "../identity/argument-words.ts";
import { similarityOf } from "../identity/compare-arguments.ts";
import { compareOutcomes, type Likeness, type Part, stands } from "../outcome/compare-outcomes.ts";
import { describeOutcome, type Edge, edgeOf } from "../outcome/describe-outcome.ts";
import type { Said, Step } from "../step.ts";
import { EXCERPT_HEAD, EXCERPT_TAIL, LENGTH_DIFFERENCE, WHOLE } from "./limits.ts";

// How steps' arguments and outcomes are compared by likeness. Describing them costs more than everything else together, and most steps are
// never compared. So excerpts are kept as they are, and described on demand. At rest all are described, because raw arguments and results
// are never kept there.

/** Keeps what an outcome says; `length` is that of the whole output, of which the text may be a part. */
export function keepOutcome(text: string, length: number): Said {
  return {
    text: text.length <= WHOLE ? text : excerpt(text, text.length < length),
    digest: "",
    segments: [],
    isWhole: text.length <= WHOLE && text.length === length,
    beginning: undefined,
    ending: undefined,
  };
}

/** Drops what a step can be compared by, because the step is too long ago. */
export function forgetView(step: Step): void {
  step.arguments = undefined;
  step.said = undefined;
}

/** The words of a step's arguments; undefined once it is too long ago. */
export function wordsIn({ arguments: kept }: Step): ArgumentWords | undefined {
  if (kept?.text !== undefined) {
    kept.words = wordsOf(kept.text);
    kept.text = undefined;
  }
  return kept?.words;
}

/** What an outcome says, described; undefined once the step is too long ago. */
export function saidBy(step: Step): Said | undefined {
  const { said } = step;
  if (said?.text !== undefined) {
    edge(said, "beginning");
    edge(said, "ending");
    const own = wordsIn(step);
    const { digest, segments } = describeOutcome(said.text, own && hashesOf(own));
    said.digest = digest;
    said.segments = segments;
    said.text = undefined;
  }
  return said;
}

/** Whether the arguments of two steps are at least this similar. False if one of them is too long ago. */
export function areSimilar(one: Step, other: Step, similarity: number): boolean {
  const first = wordsIn(one);
  const second = wordsIn(other);
  return first !== undefined && second !== undefined && similarityOf(first, second) >= similarity;
}

/** How much alike the outcomes of two steps are. Undefined if they differ, or if one of them is too long ago. */
export function compareSteps(one: Step, other: Step): Likeness {
  if (one.said === undefined || other.said === undefined || !areAlike(one.said, other.said, "beginning"))
    return undefined;
  // The last line of a failure says what failed.
  if (one.failure !== undefined && !areAlike(one.said, other.said, "ending")) return undefined;
  return compareOutcomes(saidBy(one)!, saidBy(other)!, one.said.isWhole && other.said.isWhole);
}

/** A cheap check whether two outcomes may say the same: they begin and end alike, and have about the same length. */
export function mayResemble(one: Step, other: Step): boolean {
  if (one.said === undefined || other.said === undefined) return false;
  if (Math.abs(one.length - other.length) > LENGTH_DIFFERENCE * one.length) return false;
  return areAlike(one.said, other.said, "beginning") && areAlike(one.said, other.said, "ending");
}

/** Whether earlier outcomes already said all that a step's outcome says, or all but what it repeats of its own call. */
export function isLikeEarlier(step: Step, steps: readonly Step[], part: Part): boolean {
  const others = steps.filter((earlier) => earlier.index < step.index && mayResemble(step, earlier));
  return (
    others.length > 0 &&
    stands(
      saidBy(step)!,
      others.map((earlier) => saidBy(earlier)!),
      part,
    )
  );
}

function areAlike(one: Said, other: Said, part: Edge): boolean {
  return edge(one, part) === edge(other, part);
}

/** Reads an edge from the excerpt, on demand or before the excerpt is dropped. */
function edge(said: Said, part: Edge): number | undefined {
  if (said.text !== undefined) said[part] ??= edgeOf(said.text, part);
  return said[part];
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
