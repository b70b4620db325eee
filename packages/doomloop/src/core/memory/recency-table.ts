/** A map of bounded size that forgets what was not used for longest. */
export interface RecencyTable<Value> {
  get(key: string): Value | undefined;
  /** Adds or replaces, as the most recent. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
  readonly size: number;
  /** Least recent first. */
  entries(): IterableIterator<[string, Value]>;
}

/** Creates a table that holds at most `capacity` entries. */
export function createRecencyTable<Value>(capacity: number): RecencyTable<Value> {
  const map = new Map<string, Value>();
  return {
    get: (key) => map.get(key),
    set(key, value) {
      if (!map.delete(key) && map.size >= capacity) map.delete(map.keys().next().value!);
      map.set(key, value);
    },
    delete(key) {
      map.delete(key);
    },
    clear: () => map.clear(),
    get size() {
      return map.size;
    },
    entries: () => map.entries(),
  };
}
