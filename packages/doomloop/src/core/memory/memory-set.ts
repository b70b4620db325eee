/** A set of bounded size that forgets what was added first. */
export interface MemorySet {
  has(item: string): boolean;
  add(item: string): void;
  clear(): void;
  list(): readonly string[];
}

/** Creates a set of at most `capacity` items, empty or as it was saved. */
export function createMemorySet(capacity: number, saved: readonly string[] = []): MemorySet {
  let items = saved.length === 0 ? undefined : new Set(saved.slice(-capacity));
  return {
    has: (item) => items?.has(item) === true,
    add(item) {
      items ??= new Set();
      items.delete(item);
      items.add(item);
      if (items.size > capacity) items.delete(items.values().next().value!);
    },
    clear() {
      items = undefined;
    },
    list: () => [...(items ?? [])],
  };
}
