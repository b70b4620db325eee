import { type ArgumentSketch, type FieldMarks, sketchArguments } from "../identity/argument-sketch.ts";
import { type ArgumentTokens, hashesOf, tokensOf } from "../identity/argument-tokens.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { describeOutcome } from "../identity/describe-outcome.ts";
import { beginningOf, endingOf } from "../identity/outcome-edges.ts";
import { type OutcomeProfile, SEGMENT_LENGTH } from "../identity/outcome-profile.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

/** How many of the latest steps can still be compared by more than equality. */
const SLOTS = 24;
const ARGUMENT_BYTES = 512;
/** Texts up to this length are kept whole. */
const WHOLE = 2048;
const EXCERPT_HEAD = 1024;
const EXCERPT_TAIL = 512;
/** How much the lengths of two outcomes may differ that say the same in another order. */
const RESEMBLING = 0.25;

/**
 * The latest steps, seen closely: what of their arguments and outcomes can be compared by similarity.
 *
 * Describing costs more than everything else together, and most steps are never compared. So excerpts are kept as they
 * are and described on demand; `save` describes them all, because raw arguments and results are never kept at rest.
 */
export interface OutcomeViews {
  /** Keeps the canonical bytes that the byte writer holds, as the arguments of a step. */
  keepArguments(index: number): void;
  keepOutcome(index: number, text: string, length: number): void;
  /** Undefined once the step is too long ago. */
  argumentsOf(index: number): ArgumentSketch | undefined;
  /** The words of the arguments in order; undefined once the step is too long ago. */
  tokensOf(index: number): ArgumentTokens | undefined;
  outcomeOf(index: number): ViewedOutcome | undefined;
  /** Whether two steps' outcomes begin alike, without which they are not worth describing. */
  beginAlike(one: number, other: number): boolean;
  /** Whether two steps' outcomes may say the same, by a look that costs nothing: they begin alike, and are of about the same length. */
  mayResemble(one: number, other: number): boolean;
  /** Whether two steps' outcomes end alike: where they tell of failure, the last line says which. */
  endAlike(one: number, other: number): boolean;
  /**
   * Whether all that an outcome says stands in earlier ones of the latest outcomes: all of it, or all but what it repeats of its own call.
   */
  isLikeEarlier(index: number, part: Part): boolean;
  save(): SavedViews;
}

/** All of an outcome, or all but the words of its own call. */
type Part = "all" | "others' words";

interface ViewedOutcome extends OutcomeProfile {
  /** Length of the whole output. */
  readonly length: number;
  /** Whether the profile covers the whole output. */
  readonly isWhole: boolean;
}

export type SavedViews = (readonly [
  index: number,
  sketch: string,
  outcomeIndex: number,
  digest: string,
  segments: string,
  length: number,
  isWhole: 0 | 1,
  beginning: number,
  ending: number,
  tokens: string,
])[];

interface Slot {
  index: number;
  marks: FieldMarks | undefined;
  sketch: ArgumentSketch | undefined;
  tokens: ArgumentTokens | undefined;
  outcomeIndex: number;
  text: string | undefined;
  length: number;
  isWhole: boolean;
  outcome: ViewedOutcome | undefined;
  beginning: number;
  ending: number;
}

/** Creates the views, empty or as they were saved. */
export function createOutcomeViews(saved?: SavedViews): OutcomeViews {
  const slots: Slot[] = [];
  let bytes = new Uint8Array(0);
  for (const entry of saved ?? []) restoreSlot(slots, entry);

  const described = (index: number): Slot | undefined => {
    const slot = slots[index % SLOTS];
    if (slot === undefined || slot.index !== index) return undefined;
    if (slot.marks === undefined) return slot;
    const start = (index % SLOTS) * ARGUMENT_BYTES;
    const own = bytes.subarray(start, start + slot.marks.end);
    slot.sketch = sketchArguments(own, slot.marks);
    slot.tokens = tokensOf(own, slot.marks);
    slot.marks = undefined;
    return slot;
  };

  const areAlike = (one: number, other: number, part: "beginning" | "ending"): boolean => {
    const slot = slots[one % SLOTS];
    const second = slots[other % SLOTS];
    return slot?.outcomeIndex === one && second?.outcomeIndex === other && slot[part] === second[part];
  };

  const views: OutcomeViews = {
    keepArguments(index) {
      const at = index % SLOTS;
      while (bytes.length <= at * ARGUMENT_BYTES) bytes = grown(bytes);
      const slot = slotAt(slots, at);
      const end = byteWriter.copyHead(bytes, at * ARGUMENT_BYTES, ARGUMENT_BYTES);
      slot.index = index;
      slot.marks = { starts: byteWriter.marks, end };
      slot.sketch = undefined;
      slot.tokens = undefined;
      slot.outcomeIndex = -1;
      slot.outcome = undefined;
      slot.text = undefined;
      slot.beginning = 0;
      slot.ending = 0;
    },

    keepOutcome(index, text, length) {
      const slot = slots[index % SLOTS];
      if (slot === undefined || slot.index !== index) return;
      slot.outcomeIndex = index;
      slot.outcome = undefined;
      slot.length = length;
      slot.isWhole = text.length <= WHOLE && text.length === length;
      slot.text = text.length <= WHOLE ? text : excerpt(text, text.length < length);
      slot.beginning = beginningOf(text);
      slot.ending = endingOf(text);
    },

    argumentsOf(index) {
      return described(index)?.sketch;
    },

    tokensOf(index) {
      return described(index)?.tokens;
    },

    beginAlike: (one, other) => areAlike(one, other, "beginning"),

    mayResemble(one, other) {
      const slot = slots[one % SLOTS];
      const second = slots[other % SLOTS];
      if (slot?.outcomeIndex !== one || second?.outcomeIndex !== other) return false;
      return (
        slot.beginning === second.beginning &&
        slot.ending === second.ending &&
        Math.abs(slot.length - second.length) <= RESEMBLING * slot.length
      );
    },

    endAlike: (one, other) => areAlike(one, other, "ending"),

    outcomeOf(index) {
      const slot = slots[index % SLOTS];
      if (slot === undefined || slot.outcomeIndex !== index) return undefined;
      if (slot.outcome === undefined && slot.text !== undefined) {
        const own = described(index)?.tokens;
        const { digest, segments } = describeOutcome(slot.text, own === undefined ? undefined : hashesOf(own));
        slot.outcome = { digest, segments, length: slot.length, isWhole: slot.isWhole };
        slot.text = undefined;
      }
      return slot.outcome;
    },

    isLikeEarlier(index, part) {
      let unseen: Set<number> | undefined;
      for (const slot of slots) {
        if (slot.outcomeIndex < 0 || slot.outcomeIndex >= index || !views.mayResemble(index, slot.outcomeIndex))
          continue;
        unseen ??= new Set(piecesOf(views.outcomeOf(index)!, part));
        for (const piece of piecesOf(views.outcomeOf(slot.outcomeIndex)!, part)) unseen.delete(piece);
        if (unseen.size === 0) return true;
      }
      return false;
    },

    save() {
      return slots
        .filter((slot) => slot.index >= 0)
        .sort((one, other) => one.index - other.index)
        .map((slot) => {
          const sketch = views.argumentsOf(slot.index) ?? [];
          const outcome = views.outcomeOf(slot.index);
          return [
            slot.index,
            packNumbers(sketch),
            outcome === undefined ? -1 : slot.outcomeIndex,
            outcome?.digest ?? "",
            packNumbers(outcome?.segments ?? []),
            outcome?.length ?? 0,
            outcome?.isWhole === true ? 1 : 0,
            slot.beginning,
            slot.ending,
            packNumbers(slot.tokens ?? []),
          ] as const;
        });
    },
  };
  return views;
}

/** The parts of an outcome, told apart by label and value, or by the words that are not of the call. */
function piecesOf({ segments }: OutcomeProfile, part: Part): number[] {
  const from = part === "all" ? 0 : 3;
  const pieces: number[] = [];
  for (let at = 0; at < segments.length; at += SEGMENT_LENGTH)
    pieces.push(segments[at + from]! * 65_536 + segments[at + from + 1]!);
  return pieces;
}

/** Most runs are short: room is made as they go on. */
function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(Math.max(4 * ARGUMENT_BYTES, bytes.length * 2), SLOTS * ARGUMENT_BYTES));
  larger.set(bytes);
  return larger;
}

function slotAt(slots: Slot[], at: number): Slot {
  while (slots.length <= at) {
    slots.push({
      index: -1,
      marks: undefined,
      sketch: undefined,
      tokens: undefined,
      outcomeIndex: -1,
      text: undefined,
      length: 0,
      isWhole: false,
      outcome: undefined,
      beginning: 0,
      ending: 0,
    });
  }
  return slots[at]!;
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

function restoreSlot(slots: Slot[], entry: SavedViews[number]): void {
  const [index, sketch, outcomeIndex, digest, segments, length, isWhole, beginning, ending, tokens] = entry;
  const slot = slotAt(slots, index % SLOTS);
  slot.index = index;
  slot.sketch = [...(unpackNumbers(sketch) ?? [])];
  slot.tokens = [...(unpackNumbers(tokens) ?? [])];
  const unpacked = unpackNumbers(segments);
  if (outcomeIndex < 0 || unpacked === undefined) return;
  slot.outcomeIndex = outcomeIndex;
  slot.length = length;
  slot.isWhole = isWhole === 1;
  slot.beginning = beginning;
  slot.ending = ending;
  slot.outcome = { digest, segments: [...unpacked], length, isWhole: slot.isWhole };
}
