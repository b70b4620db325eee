/** Remembers ids, so that what is written again is read once. */
export interface SeenIds {
  has(id: string): boolean;
  /** Remembers an id; true if it is new. */
  add(id: string): boolean;
  readonly size: number;
}

const MAX_SEEN = 65_536;

/** Forgets the oldest ids when there are too many. */
export function createSeenIds(): SeenIds {
  const seen = new Set<string>();
  return {
    has: (id) => seen.has(id),
    add(id) {
      if (seen.has(id)) return false;
      seen.add(id);
      if (seen.size > MAX_SEEN) seen.delete(seen.keys().next().value!);
      return true;
    },
    get size() {
      return seen.size;
    },
  };
}
