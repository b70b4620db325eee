/**
 * A JSON value made small: texts that are long or return stand once in a list, and large numbers that lie near a known
 * one are written as their distance to it. A run's memory is mostly digests and call indices, so both save a lot.
 */
export interface Packed {
  readonly texts: readonly string[];
  readonly near: readonly number[];
  readonly value: unknown;
}

/** Shorter texts are not worth a reference. */
const SHORT = 5;
const LARGE = 100_000;
const NEAR = 46_656;
const TEXT = "~";
const NUMBER = "^";

/** Packs a value of ours. `near`: numbers that others are expected to lie close to. */
export function packSnapshot(value: unknown, near: readonly number[]): Packed {
  const places = new Map<string, number>();
  const bases = near.filter((base) => base >= LARGE);
  const packed = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "string" && item.length > SHORT) {
      let place = places.get(item);
      if (place === undefined) {
        place = places.size;
        places.set(item, place);
      }
      return TEXT + place.toString(36);
    }
    if (typeof item !== "number" || item < LARGE) return item;
    const base = bases.findIndex((number) => Math.abs(number - item) < NEAR && Number.isInteger(number - item));
    return base < 0 ? item : `${NUMBER}${base}${(bases[base]! - item).toString(36)}`;
  });
  return { texts: [...places.keys()], near: bases, value: JSON.parse(packed) as unknown };
}

/** The value again. What refers to nothing becomes undefined, for its reader to notice. */
export function unpackSnapshot({ texts, near, value }: Packed): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) => {
    if (typeof item !== "string") return item;
    if (item.startsWith(TEXT)) return texts[Number.parseInt(item.slice(1), 36)];
    if (!item.startsWith(NUMBER)) return item;
    return near[Number(item[1])]! - Number.parseInt(item.slice(2), 36);
  });
}
