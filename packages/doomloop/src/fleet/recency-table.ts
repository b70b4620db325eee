/** A map of bounded size that forgets what was not used for longest. */
export interface RecencyTable<Value> {
  get(key: string): Value | undefined;
  /** Adds or replaces, as the most recent. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
  size(): number;
  /** Forgets the least recent entries for as long as they are over. */
  sweep(isOver: (value: Value) => boolean): void;
  /** Least recent first. The entry at hand may be deleted on the way; nothing else may change. */
  entries(): Iterable<[string, Value]>;
}

interface Entry<Value> {
  readonly key: string;
  value: Value;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/**
 * Creates a table that holds at most `capacity` entries. A guard has many, and most stay empty: room is made late.
 *
 * Entries are linked by age. A map alone knows its oldest entry too, but finds it by passing over all that were deleted before:
 * with thousands of entries, each new one would cost as much as hundreds.
 */
export function createRecencyTable<Value>(capacity: number): RecencyTable<Value> {
  let map: Map<string, Entry<Value>> | undefined;
  let oldest: Entry<Value> | undefined;
  let newest: Entry<Value> | undefined;

  /** The entry keeps its own links: whoever stands at it while it is deleted can go on. */
  const unlink = ({ older, newer }: Entry<Value>): void => {
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
  };

  const append = (entry: Entry<Value>): void => {
    entry.older = newest;
    entry.newer = undefined;
    if (newest === undefined) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  };

  const remove = (entry: Entry<Value>): void => {
    map?.delete(entry.key);
    unlink(entry);
  };

  return {
    get: (key) => map?.get(key)?.value,
    set(key, value) {
      map ??= new Map();
      const known = map.get(key);
      if (known !== undefined) {
        known.value = value;
        if (known === newest) return;
        unlink(known);
        append(known);
        return;
      }
      if (map.size >= capacity && oldest !== undefined) remove(oldest);
      const entry: Entry<Value> = { key, value, older: undefined, newer: undefined };
      map.set(key, entry);
      append(entry);
    },
    delete(key) {
      const known = map?.get(key);
      if (known !== undefined) remove(known);
    },
    clear() {
      map = oldest = newest = undefined;
    },
    size() {
      return map?.size ?? 0;
    },
    sweep(isOver) {
      while (oldest !== undefined && isOver(oldest.value)) remove(oldest);
    },
    *entries() {
      for (let entry = oldest; entry !== undefined; entry = entry.newer) yield [entry.key, entry.value];
    },
  };
}
