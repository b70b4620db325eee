import type { Digest } from "../identity/digest.ts";
import { createRecencyTable, type RecencyTable } from "../memory/recency-table.ts";

const MAX_KEYS = 16;
const MAX_VALUES = 8;
const MAX_EDITS = 48;

/**
 * Which state the world is in, as far as the run tells: a number that is new after every change.
 *
 * Steps that happened in the same state can be repeats of each other; steps in different states cannot.
 */
export interface World {
  readonly epoch: number;
  /** A step changed the world. */
  change(): void;
  /**
   * An edit that may only undo or redo another; `pair` is the same for an edit and its reverse. Returns whether it is new.
   */
  isNewEdit(pair: Digest): boolean;
  /** The host measured the world. Returns whether the value is new. */
  measure(key: string, value: Digest): boolean;
  clear(): void;
  save(): SavedWorld;
}

export interface SavedWorld {
  readonly epoch: number;
  readonly latest: number;
  readonly edits: readonly Digest[];
  readonly measures: readonly (readonly [string, readonly (readonly [Digest, number])[]])[];
}

/** Creates the world of a new run, or of a saved one. */
export function createWorld(saved?: SavedWorld): World {
  let epoch = saved?.epoch ?? 0;
  let latest = saved?.latest ?? 0;
  const edits: RecencyTable<true> = createRecencyTable(MAX_EDITS);
  for (const edit of saved?.edits ?? []) edits.set(edit, true);
  const measures = createRecencyTable<Map<Digest, number>>(MAX_KEYS);
  for (const [key, values] of saved?.measures ?? []) measures.set(key, new Map(values));

  const change = (): void => {
    epoch = ++latest;
  };

  return {
    get epoch() {
      return epoch;
    },
    change,
    isNewEdit(pair) {
      const isNew = edits.get(pair) === undefined;
      edits.set(pair, true);
      return isNew;
    },
    measure(key, value) {
      const values = measures.get(key) ?? new Map<Digest, number>();
      measures.set(key, values);
      const known = values.get(value);
      const isFirst = values.size === 0;
      if (known !== undefined) {
        // The world is as it was when this value was seen: whatever claimed to change it since did not.
        epoch = known;
        return false;
      }
      if (!isFirst) change();
      if (values.size >= MAX_VALUES) values.delete(values.keys().next().value!);
      values.set(value, epoch);
      return !isFirst;
    },
    clear() {
      change();
      edits.clear();
      measures.clear();
    },
    save: () => ({
      epoch,
      latest,
      edits: [...edits.entries()].map(([edit]) => edit),
      measures: [...measures.entries()].map(([key, values]) => [key, [...values]] as const),
    }),
  };
}
