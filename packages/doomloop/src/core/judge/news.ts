import type { Digest } from "../identity/digest.ts";
import { createMemorySet } from "../memory/memory-set.ts";
import type { OutcomeViews } from "../memory/outcome-views.ts";

/**
 * Where the run learned something: a step that came back with what no step before it had come back with.
 *
 * A step whose outcome is new to its own call may still bring nothing new to the run: "ok" and "Clicked" are the answers of
 * many calls. Equality is asked at once, likeness (the same but for a clock) when a repeat depends on it.
 */
export interface News {
  /** Notes a step that succeeded with an answer which its own call did not have before. */
  note(index: number, round: number, outcome: Digest): void;
  /** Whether a step of a later round brought news. */
  hasComeSince(round: number): boolean;
  /** What comes is judged anew: nothing noted so far is news any more. */
  clear(): void;
  save(): SavedNews;
}

export interface SavedNews {
  readonly seen: readonly Digest[];
  readonly candidates: readonly (readonly [number, number])[];
}

/** Outcomes that are known by equality. */
const MAX_SEEN = 96;
/** Steps that may be news: as far back as outcomes can be compared. */
const MAX_CANDIDATES = 24;

/** Creates the memory of news, empty or as it was saved. */
export function createNews(views: OutcomeViews, saved?: SavedNews): News {
  const seen = createMemorySet(MAX_SEEN, saved?.seen);
  let candidates: (readonly [index: number, round: number])[] = [...(saved?.candidates ?? [])];
  return {
    note(index, round, outcome) {
      const isNew = !seen.has(outcome);
      seen.add(outcome);
      if (!isNew) return;
      candidates.push([index, round]);
      if (candidates.length > MAX_CANDIDATES) candidates.shift();
    },
    hasComeSince(round) {
      for (let at = candidates.length - 1; at >= 0; at--) {
        const [index, own] = candidates[at]!;
        if (own > round && !views.isLikeEarlier(index, "others' words")) return true;
      }
      return false;
    },
    clear() {
      candidates = [];
    },
    save: () => ({ seen: seen.list(), candidates }),
  };
}
