/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed from a text, so that what is drawn for a run does not depend on the runs before it: FNV-1a. */
export function seedOf(text: string): number {
  let seed = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) seed = Math.imul(seed ^ text.charCodeAt(at), 0x01000193);
  return seed >>> 0;
}

/** A part of a whole; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** The share of items for which something holds. */
export function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return share(items.filter(holds).length, items.length);
}

/** One half to tune on, one to measure with. */
export type Half = "tune" | "aside";

/**
 * The half that a name belongs to: of an everyday run, its class.
 *
 * "split" makes the halves of every everyday set about equal. Low bits of the hash know little of the name.
 */
export function halfOf(name: string): Half {
  return (seedOf(`split ${name}`) >>> 7) % 2 === 0 ? "tune" : "aside";
}

/** Items by a name of theirs, in the order in which the names come. */
export function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}
