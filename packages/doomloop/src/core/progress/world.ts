import type { Digest } from "../identity/digest.ts";
import { createRecencyTable, type RecencyTable } from "../memory/recency-table.ts";

const MAX_KEYS = 8;
const MAX_VALUES = 4;
const MAX_EDITS = 32;
const MAX_PENDING = 64;

/**
 * When the world last changed, as far as the run tells. Steps with no change between them can be repeats of each other.
 *
 * Whether a step changed anything can be dear to find out (a command must be parsed) and is seldom asked. So a step is
 * noted with the question, and the question is answered when a repeat depends on it, latest step first.
 */
export interface World {
  /** A step changed the world. */
  change(index: number): void;
  /** Notes a step that may have changed the world. */
  note(index: number, hasChanged: () => boolean): void;
  /** Another agent was sent to work, and may have changed the world. */
  delegate(index: number): void;
  /**
   * Whether a step after the one of this index changed the world. What was delegated is no reason to delegate it again:
   * for a delegation, other delegations are no change.
   */
  hasChangedSince(index: number, isDelegation?: boolean): boolean;
  /** The step that changed the world last, as far as that has been found out. */
  lastChange(): number;
  /**
   * An edit that may only undo or redo another; `pair` is the same for an edit and its reverse. Returns whether it is new.
   */
  isNewEdit(pair: Digest): boolean;
  /** The host measured the world after the step of this index. Returns whether the value is new, and so progress. */
  measure(key: string, value: Digest, index: number): boolean;
  save(): SavedWorld;
}

export interface SavedWorld {
  readonly lastChange: number;
  readonly lastDelegation?: number;
  readonly edits: readonly Digest[];
  readonly measures: readonly (readonly [string, SavedMeasure])[];
}

interface Measure {
  /** Values seen, the latest last. */
  values: Digest[];
  /** When the world had last changed as the latest value was measured. */
  lastChange: number;
}
type SavedMeasure = Measure;

/** Creates the world of a new run, or of a saved one. */
export function createWorld(saved?: SavedWorld): World {
  let lastChange = saved?.lastChange ?? -1;
  let lastDelegation = saved?.lastDelegation ?? -1;
  let pending: { readonly index: number; readonly hasChanged: () => boolean }[] = [];
  const edits: RecencyTable<true> = createRecencyTable(MAX_EDITS);
  for (const edit of saved?.edits ?? []) edits.set(edit, true);
  const measures = createRecencyTable<Measure>(MAX_KEYS);
  for (const [key, measure] of saved?.measures ?? []) measures.set(key, { ...measure, values: [...measure.values] });

  const hasChangedSince = (index: number, isDelegation = false): boolean => {
    if (lastChange > index || (!isDelegation && lastDelegation > index)) return true;
    for (let latest = pending.at(-1); latest !== undefined && latest.index > index; latest = pending.at(-1)) {
      pending.pop();
      if (!latest.hasChanged()) continue;
      lastChange = latest.index;
      pending = [];
      return true;
    }
    return false;
  };

  return {
    change(index) {
      lastChange = Math.max(lastChange, index);
      pending = pending.filter((noted) => noted.index > lastChange);
    },
    note(index, hasChanged) {
      if (index < lastChange) return;
      // Results of parallel calls come in any order; questions are asked from the latest call backwards.
      const after = pending.findIndex((noted) => noted.index > index);
      pending.splice(after < 0 ? pending.length : after, 0, { index, hasChanged });
      if (pending.length > MAX_PENDING) hasChangedSince(lastChange);
    },
    delegate(index) {
      lastDelegation = Math.max(lastDelegation, index);
    },
    hasChangedSince,
    lastChange() {
      return Math.max(lastChange, lastDelegation);
    },
    isNewEdit(pair) {
      const isNew = edits.get(pair) === undefined;
      edits.set(pair, true);
      return isNew;
    },
    measure(key, value, index) {
      hasChangedSince(lastChange);
      const known = measures.get(key);
      if (known === undefined) {
        measures.set(key, { values: [value], lastChange: Math.max(lastChange, lastDelegation) });
        return false;
      }
      measures.set(key, known);
      if (known.values.at(-1) === value) {
        // The world is as it was at the last measure: whatever claimed to change it since did not.
        lastChange = known.lastChange;
        lastDelegation = Math.min(lastDelegation, known.lastChange);
        return false;
      }
      const isNew = !known.values.includes(value);
      known.values = [...known.values.filter((other) => other !== value), value].slice(-MAX_VALUES);
      if (isNew) lastChange = index + 0.5;
      known.lastChange = Math.max(lastChange, lastDelegation);
      return isNew;
    },
    save() {
      hasChangedSince(lastChange);
      return {
        lastChange,
        lastDelegation,
        edits: [...edits.entries()].map(([edit]) => edit),
        measures: [...measures.entries()],
      };
    },
  };
}
