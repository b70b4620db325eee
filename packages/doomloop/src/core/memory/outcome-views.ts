import { type ArgumentSketch, type FieldMarks, sketchArguments } from "../identity/argument-sketch.ts";
import { byteWriter } from "../identity/byte-writer.ts";
import { describeOutcome } from "../identity/describe-outcome.ts";
import type { OutcomeProfile } from "../identity/outcome-profile.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

/** How many of the latest steps can still be compared by more than equality. */
const SLOTS = 20;
const ARGUMENT_BYTES = 512;
const EXCERPT_HEAD = 1536;
const EXCERPT_TAIL = 1024;

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
  outcomeOf(index: number): ViewedOutcome | undefined;
  /** Whether `outcomeOf` has an answer, asked without describing it. */
  hasOutcome(index: number): boolean;
  clear(): void;
  save(): SavedViews;
}

export interface ViewedOutcome extends OutcomeProfile {
  /** Length of the whole output. */
  readonly length: number;
  /** Whether the profile covers the whole output. */
  readonly isWhole: boolean;
}

export type SavedViews = (readonly [number, string, number, string, string, number, 0 | 1])[];

interface Slot {
  index: number;
  marks: FieldMarks | undefined;
  sketch: ArgumentSketch | undefined;
  outcomeIndex: number;
  text: string | undefined;
  length: number;
  isWhole: boolean;
  outcome: ViewedOutcome | undefined;
}

/** Creates the views, empty or as they were saved. */
export function createOutcomeViews(saved?: SavedViews): OutcomeViews {
  const slots: Slot[] = [];
  let bytes: Uint8Array | undefined;
  for (const entry of saved ?? []) restoreSlot(slots, entry);

  const views: OutcomeViews = {
    keepArguments(index) {
      bytes ??= new Uint8Array(SLOTS * ARGUMENT_BYTES);
      const at = index % SLOTS;
      const slot = slotAt(slots, at);
      const end = byteWriter.copyHead(bytes, at * ARGUMENT_BYTES, ARGUMENT_BYTES);
      slot.index = index;
      slot.marks = { starts: byteWriter.marks, end };
      slot.sketch = undefined;
      slot.outcomeIndex = -1;
      slot.outcome = undefined;
      slot.text = undefined;
    },

    keepOutcome(index, text, length) {
      const slot = slots[index % SLOTS];
      if (slot === undefined || slot.index !== index) return;
      slot.outcomeIndex = index;
      slot.outcome = undefined;
      slot.length = length;
      slot.isWhole = text.length <= EXCERPT_HEAD + EXCERPT_TAIL && text.length === length;
      slot.text = slot.isWhole ? text : excerpt(text);
    },

    argumentsOf(index) {
      const slot = slots[index % SLOTS];
      if (slot === undefined || slot.index !== index) return undefined;
      if (slot.sketch === undefined && slot.marks !== undefined && bytes !== undefined) {
        const start = (index % SLOTS) * ARGUMENT_BYTES;
        slot.sketch = sketchArguments(bytes.subarray(start, start + slot.marks.end), slot.marks);
        slot.marks = undefined;
      }
      return slot.sketch;
    },

    hasOutcome: (index) => slots[index % SLOTS]?.outcomeIndex === index,

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

    clear() {
      slots.length = 0;
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
          ] as const;
        });
    },
  };
  return views;
}

function slotAt(slots: Slot[], at: number): Slot {
  while (slots.length <= at) {
    slots.push({
      index: -1,
      marks: undefined,
      sketch: undefined,
      outcomeIndex: -1,
      text: undefined,
      length: 0,
      isWhole: false,
      outcome: undefined,
    });
  }
  return slots[at]!;
}

/** Head and tail of a long output, copied so that the whole of it can be freed. */
function excerpt(text: string): string {
  const parts = `${text.slice(0, EXCERPT_HEAD)}\n${text.slice(-EXCERPT_TAIL)}`;
  // Reading a character makes the engine join the parts into a string of its own; until then they hold on to `text`.
  parts.charCodeAt(0);
  return parts;
}

function restoreSlot(slots: Slot[], entry: SavedViews[number]): void {
  const [index, sketch, outcomeIndex, digest, segments, length, isWhole] = entry;
  const slot = slotAt(slots, index % SLOTS);
  slot.index = index;
  slot.sketch = [...(unpackNumbers(sketch) ?? [])];
  const unpacked = unpackNumbers(segments);
  if (outcomeIndex < 0 || unpacked === undefined) return;
  slot.outcomeIndex = outcomeIndex;
  slot.length = length;
  slot.isWhole = isWhole === 1;
  slot.outcome = { digest, segments: [...unpacked], length, isWhole: slot.isWhole };
}
