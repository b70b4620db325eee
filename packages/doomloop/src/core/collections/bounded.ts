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
