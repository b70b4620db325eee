import { DoomloopError } from "../doomloop-error.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

/**
 * A value of ours made small, as JSON. Objects of one shape share their keys, texts that are long or return stand once in a list, lists of
 * 16-bit numbers are one text, and large numbers that lie near a known one are written as their distance to it.
 */
export interface Packed {
  readonly texts: readonly string[];
  /** The keys of each kind of object, with blanks between. */
  readonly shapes: readonly string[];
  readonly near: readonly number[];
  readonly value: unknown;
}

/** Shorter texts are not worth a reference. */
const SHORT = 5;
const SIGNS = "~^#";
const LARGE = 100_000;
const NEAR = 46_656;
const LIST = -1;
const MAP = -2;
/** Lists of at least so many numbers are worth packing. */
const MANY = 4;
const DEEPEST = 16;

/** Packs plain data: objects, lists, maps, texts, numbers, booleans and undefined. A `Uint16Array` becomes a list. `near`: numbers that others may lie close to. */
export function pack(value: unknown, near: readonly number[] = []): Packed {
  const texts = new Map<string, number>();
  const shapes = new Map<string, number>();
  const bases = near.filter((base) => base >= LARGE);

  const packText = (text: string): string =>
    text.length <= SHORT && !SIGNS.includes(text.charAt(0)) ? text : `~${placeIn(texts, text).toString(36)}`;

  const packNumber = (number: number): unknown => {
    if (number < LARGE) return number;
    const base = bases.findIndex((each) => Math.abs(each - number) < NEAR && Number.isInteger(each - number));
    return base < 0 ? number : `^${base}${(bases[base]! - number).toString(36)}`;
  };

  const packAny = (item: unknown): unknown => {
    if (typeof item === "string") return packText(item);
    if (typeof item === "number") return packNumber(item);
    // The shortest JSON there is.
    if (typeof item === "boolean") return item ? [] : {};
    if (typeof item !== "object" || item === null) return item ?? null;
    if (item instanceof Uint16Array) return `#${packNumbers(item)}`;
    if (item instanceof Map) return [MAP, ...[...item].flat().map(packAny)];
    if (!Array.isArray(item))
      return [placeIn(shapes, Object.keys(item).join(" ")), ...Object.values(item).map(packAny)];
    const list: readonly unknown[] = item;
    return isNumbers(list) ? `#${packNumbers(list)}` : [LIST, ...list.map(packAny)];
  };

  const packed = packAny(value);
  return { texts: [...texts.keys()], shapes: [...shapes.keys()], near: bases, value: packed };
}

/** The value again; throws for what was never packed. What only refers to nothing becomes undefined, for its reader to notice. */
export function unpack({ texts, shapes, near, value }: Packed): unknown {
  const unpackText = (text: string): unknown => {
    if (text.startsWith("~")) return texts[Number.parseInt(text.slice(1), 36)];
    if (text.startsWith("#")) return [...(unpackNumbers(text.slice(1)) ?? [])];
    return text.startsWith("^") ? near[Number(text[1])]! - Number.parseInt(text.slice(2), 36) : text;
  };

  const unpackAny = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return unpackText(item);
    if (!Array.isArray(item)) return typeof item === "object" ? (item === null ? undefined : false) : item;
    if (item.length === 0) return true;
    if (depth > DEEPEST) throw new DoomloopError("invalid-snapshot", "snapshot: plain data is required, got a maze");
    const [kind, ...items] = item.map((each, at) => (at === 0 ? each : unpackAny(each, depth + 1)));
    if (kind === LIST) return items;
    if (kind === MAP) return new Map(items.flatMap((key, at) => (at % 2 === 0 ? [[key, items[at + 1]] as const] : [])));
    const keys = shapes[kind as number];
    if (typeof keys !== "string") throw new DoomloopError("invalid-snapshot", "snapshot: a known shape is required");
    return keys === "" ? {} : Object.fromEntries(keys.split(" ").map((key, at) => [key, items[at]]));
  };

  return unpackAny(value, 0);
}

/** Whether a value has the form of another: the same kinds of things under the same names, as far as names go. */
export function hasFormOf(value: unknown, form: unknown): boolean {
  if (form === undefined) return true;
  if (typeof form !== "object" || form === null) return typeof value === typeof form;
  if (Array.isArray(form)) return Array.isArray(value) || value instanceof Uint16Array;
  if (form instanceof Map) return value instanceof Map;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(form).every(([name, part]) => hasFormOf((value as Record<string, unknown>)[name], part));
}

function placeIn(places: Map<string, number>, text: string): number {
  const place = places.get(text) ?? places.size;
  places.set(text, place);
  return place;
}

function isNumbers(list: readonly unknown[]): list is number[] {
  if (list.length < MANY) return false;
  return list.every((item) => typeof item === "number" && (item & 0xffff) === item);
}
