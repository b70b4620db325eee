/** A cache of bounded size that keeps what was used lately, at no cost for what it forgets. */
export interface Generations<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/**
 * Creates a cache of between `capacity` / 2 and `capacity` entries: when the young half is full, the old half is forgotten as a whole.
 * A map whose oldest entry is deleted for each new one becomes slow with thousands of entries.
 */
export function createGenerations<Value>(capacity: number): Generations<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  const set = (key: string, value: Value): void => {
    if (young.size >= capacity / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
  };
}
