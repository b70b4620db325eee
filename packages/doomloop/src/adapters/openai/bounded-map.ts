/** A map that forgets its oldest entries: conversations go on for long. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
}

const MAX_ENTRIES = 4000;

/** Creates an empty one. */
export function createBoundedMap<Value>(): BoundedMap<Value> {
  const map = new Map<string, Value>();
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
