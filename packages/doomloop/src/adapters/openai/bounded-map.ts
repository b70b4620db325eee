/** A map that forgets its oldest entries: conversations go on for long. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value): void;
}

const MAX_ENTRIES = 4000;

/** Creates an empty one. */
export function createBoundedMap<Key, Value>(): BoundedMap<Key, Value> {
  const map = new Map<Key, Value>();
  return {
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    set(key, value) {
      map.delete(key);
      map.set(key, value);
      if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value!);
    },
  };
}
