/** A map of bounded size that drops the entry that was set the longest ago. */
export interface RecencyTable<Value> {
  get(key: string): Value | undefined;
  /** Adds or replaces an entry and makes it the most recent. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
  size(): number;
  /** Drops entries, the least recent first, until one is not over yet. */
  sweep(isOver: (value: Value) => boolean): void;
  /** Least recent first. The caller may delete the current entry while iterating, but must not change anything else. */
  entries(): Iterable<[string, Value]>;
}

interface Entry<Value> {
  readonly key: string;
  value: Value;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/**
 * Creates a table that holds at most `capacity` entries. Many tables stay empty, so the map is created with the first entry.
 *
 * Entries are linked by age. A plain map also keeps its order of insertion, but to find its oldest entry it steps over all
 * entries that were deleted before. With thousands of entries, each insertion would cost as much as hundreds.
 */
export function createRecencyTable<Value>(capacity: number): RecencyTable<Value> {
  let map: Map<string, Entry<Value>> | undefined;
  let oldest: Entry<Value> | undefined;
  let newest: Entry<Value> | undefined;

  /** The entry keeps its own links, so that an iteration can go on from an entry that was just deleted. */
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
