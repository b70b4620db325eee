/** A map of bounded size that forgets what was not used for longest. */
export interface RecencyTable<Value> {
  get(key: string): Value | undefined;
  /** Adds or replaces, as the most recent. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
  size(): number;
  /** Least recent first. */
  entries(): Iterable<[string, Value]>;
}

/** Creates a table that holds at most `capacity` entries. A guard has many, and most stay empty: room is made late. */
export function createRecencyTable<Value>(capacity: number): RecencyTable<Value> {
  let map: Map<string, Value> | undefined;
  return {
    get: (key) => map?.get(key),
    set(key, value) {
      map ??= new Map();
      if (!map.delete(key) && map.size >= capacity) map.delete(map.keys().next().value!);
      map.set(key, value);
    },
    delete(key) {
      map?.delete(key);
    },
    clear() {
      map = undefined;
    },
    size() {
      return map?.size ?? 0;
    },
    entries: () => map ?? [],
  };
}
