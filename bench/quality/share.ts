/** A part of a whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** The share of items for which something holds. */
export function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return share(items.filter(holds).length, items.length);
}
