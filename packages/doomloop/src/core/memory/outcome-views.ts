import { type ArgumentSketch, type FieldMarks, sketchArguments } from "../identity/argument-sketch.ts";
import { type ArgumentWords, wordsOfArguments } from "../identity/argument-words.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { describeOutcome } from "../identity/describe-outcome.ts";
import type { OutcomeProfile } from "../identity/outcome-profile.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

/** How many of the latest steps can still be compared by more than equality. */
const SLOTS = 24;
const ARGUMENT_BYTES = 512;
/** Texts up to this length are kept whole. */
const WHOLE = 2048;
const EXCERPT_HEAD = 1024;
const EXCERPT_TAIL = 512;

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
  /** The words of the arguments; undefined once the step is too long ago, and where they are too many. */
  wordsOf(index: number): ArgumentWords | undefined;
  outcomeOf(index: number): ViewedOutcome | undefined;
  /** Whether two steps' outcomes begin alike, without which they are not worth describing. */
  beginAlike(one: number, other: number): boolean;
  /** Whether two steps' outcomes end alike: where they tell of failure, the last line says which. */
  endAlike(one: number, other: number): boolean;
  save(): SavedViews;
}

interface ViewedOutcome extends OutcomeProfile {
  /** Length of the whole output. */
  readonly length: number;
  /** Whether the profile covers the whole output. */
  readonly isWhole: boolean;
}

export type SavedViews = (readonly [number, string, number, string, string, number, 0 | 1, number, string?, number?])[];

interface Slot {
  index: number;
  marks: FieldMarks | undefined;
  sketch: ArgumentSketch | undefined;
  words: ArgumentWords | undefined;
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
    // Of arguments that were cut, the words that matter may be missing.
    if (own.length < ARGUMENT_BYTES) slot.words = wordsOfArguments(own, slot.marks);
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
      slot.words = undefined;
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

    wordsOf(index) {
      return described(index)?.words;
    },

    beginAlike: (one, other) => areAlike(one, other, "beginning"),

    endAlike: (one, other) => areAlike(one, other, "ending"),

    outcomeOf(index) {
      const slot = slots[index % SLOTS];
      if (slot === undefined || slot.outcomeIndex !== index) return undefined;
      if (slot.outcome === undefined && slot.text !== undefined) {
        const { digest, segments } = describeOutcome(slot.text);
        slot.outcome = { digest, segments, length: slot.length, isWhole: slot.isWhole };
        slot.text = undefined;
      }
      return slot.outcome;
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
            packNumbers(slot.words ?? []),
            slot.ending,
          ] as const;
        });
    },
  };
  return views;
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
      words: undefined,
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
  const parts = isCut ? head : `${head}\n${text.slice(hasLines ? tailStart + 1 : -EXCERPT_TAIL)}`;
  // Reading a character makes the engine join the parts into a string of its own; until then they hold on to `text`.
  parts.charCodeAt(0);
  return parts;
}

function restoreSlot(slots: Slot[], entry: SavedViews[number]): void {
  const [index, sketch, outcomeIndex, digest, segments, length, isWhole, beginning, words, ending] = entry;
  const slot = slotAt(slots, index % SLOTS);
  slot.index = index;
  slot.sketch = [...(unpackNumbers(sketch) ?? [])];
  slot.words = words ? [...(unpackNumbers(words) ?? [])] : undefined;
  const unpacked = unpackNumbers(segments);
  if (outcomeIndex < 0 || unpacked === undefined) return;
  slot.outcomeIndex = outcomeIndex;
  slot.length = length;
  slot.isWhole = isWhole === 1;
  slot.beginning = beginning;
  slot.ending = ending ?? 0;
  slot.outcome = { digest, segments: [...unpacked], length, isWhole: slot.isWhole };
}

const ENDING = 160;

/** A hash of the letters of a text's last line: digits may vary, names may not. */
function endingOf(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  // Looked for here and not by lastIndexOf, which would read the whole of a text that is one line.
  let start = end;
  while (start > 0 && start > end - ENDING && text.charCodeAt(start - 1) !== 10) start--;
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at) | 32;
    if (unit >= 97 && unit <= 122) hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return hash & 0xffff;
}

const BEGINNING = 32;

/** A hash of the letters that a text begins with: digits may vary, and so may what comes later. */
function beginningOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < BEGINNING && at < text.length; at++) {
    const unit = text.charCodeAt(at) | 32;
    // A path may lead to a folder for temporary files.
    if (unit === 47) break;
    if (unit >= 97 && unit <= 122) hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return hash & 0xffff;
}
