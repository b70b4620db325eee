/** Makes an entry the most recent one, and forgets the least recent one above `capacity`. A map keeps its entries by age. */
export function setRecent<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, capacity: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > capacity) map.delete(map.keys().next().value!);
}

/** Adds to a list of the latest `capacity` items. */
export function pushLatest<Item>(list: Item[], item: Item, capacity: number): void {
  list.push(item);
  if (list.length > capacity) list.shift();
}

/** The same for a list without duplicates. */
export function addLatest<Item>(list: Item[], item: Item, capacity: number): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  pushLatest(list, item, capacity);
}

/** A copy that takes no more memory than its items need: a list that grew keeps room for sixteen more. */
export function compact<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NOTHING : list.slice();
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Texts joined to one that is stored in one piece: a sum of texts refers to each of them, and takes more memory if it is kept. */
export function inOnePiece(...texts: readonly string[]): string {
  return texts.join("");
}
