/** Words to the agent that could not be said at once. Bounded: if they are not fetched, the oldest are forgotten first. */
interface PendingWords {
  /** For whatever comes next. */
  hold(text: string | undefined): void;
  /** For the result of one call. */
  holdFor(id: string, text: string | undefined): void;
  take(): string | undefined;
  takeFor(id: string): string | undefined;
  save(): SavedWords;
  /** Joins texts with a blank line between them. */
  join(...texts: (string | undefined)[]): string;
}

/** Pending words as plain data. */
export interface SavedWords {
  readonly byCall: readonly (readonly [id: string, text: string])[];
  readonly held: readonly string[];
}

const MAX_CALLS = 64;
const MAX_HELD = 3;

/** Creates a store of words: empty, or with the words that were saved. */
export function createPendingWords(saved?: SavedWords): PendingWords {
  const byCall = new Map(saved?.byCall);
  let held = [...(saved?.held ?? [])];
  return {
    hold(text) {
      if (text) held = [...held.filter((other) => other !== text), text].slice(-MAX_HELD);
    },
    holdFor(id, text) {
      if (!text) return;
      byCall.set(id, text);
      if (byCall.size > MAX_CALLS) byCall.delete(byCall.keys().next().value!);
    },
    take() {
      const text = join(...held);
      held = [];
      return text || undefined;
    },
    takeFor(id) {
      const text = byCall.get(id);
      byCall.delete(id);
      return text;
    },
    save: () => ({ byCall: [...byCall], held }),
    join,
  };
}

function join(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join("\n\n");
}
