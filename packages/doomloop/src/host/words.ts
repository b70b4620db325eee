/** Words to the agent that could not be said at once. Bounded: what is not fetched is forgotten, the oldest first. */
export interface Words {
  /** For whatever comes next. */
  hold(text: string | undefined): void;
  /** For the result of one call. */
  holdFor(id: string, text: string | undefined): void;
  take(): string | undefined;
  takeFor(id: string): string | undefined;
  /** Several pieces as one, a blank line between them. */
  join(...texts: (string | undefined)[]): string;
}

const MAX_CALLS = 64;
const MAX_HELD = 3;

/** Creates an empty store of words. */
export function createWords(): Words {
  const byCall = new Map<string, string>();
  let held: string[] = [];
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
    join,
  };
}

function join(...texts: (string | undefined)[]): string {
  return texts.filter(Boolean).join("\n\n");
}
