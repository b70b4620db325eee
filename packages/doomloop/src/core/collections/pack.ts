import { DoomloopError } from "../doomloop-error.ts";

/**
 * Plain data in a small form of JSON. Objects of one shape share their keys, longer texts are written once and referred to, a list of
 * 16-bit numbers is one text, shorter if most are 0, and a large number near a known one is written as the distance to it.
 */
export interface Packed {
  readonly texts: readonly string[];
  /** The keys of each kind of object, separated by spaces. */
  readonly shapes: readonly string[];
  readonly near: readonly number[];
  readonly value: unknown;
}

/** Texts up to this length are not worth a reference. */
const SHORT_TEXT = 5;
const SIGNS = "~^#%";
const LARGE = 100_000;
const NEAR = 46_656;
const LIST = -1;
const MAP = -2;
/** Shorter lists of numbers are not worth packing. */
const SHORTEST_PACKED = 4;
const DEEPEST = 16;
/** Places in a list are 16-bit numbers, too. */
const LONGEST_SPARSE = 0xffff;

/** Packs plain data: objects, lists, maps, texts, numbers, booleans and undefined. A `Uint16Array` becomes a list. `near`: numbers that others may be close to. */
export function pack(value: unknown, near: readonly number[] = []): Packed {
  const texts = new Map<string, number>();
  const shapes = new Map<string, number>();
  const bases = near.filter((base) => base >= LARGE);

  const packText = (text: string): string =>
    text.length <= SHORT_TEXT && !SIGNS.includes(text.charAt(0)) ? text : `~${placeIn(texts, text).toString(36)}`;

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
    if (item instanceof Uint16Array) return packList(item);
    if (item instanceof Map) return [MAP, ...[...item].flat().map(packAny)];
    if (!Array.isArray(item))
      return [placeIn(shapes, Object.keys(item).join(" ")), ...Object.values(item).map(packAny)];
    const list: readonly unknown[] = item;
    return isNumbers(list) ? packList(list) : [LIST, ...list.map(packAny)];
  };

  const packed = packAny(value);
  return { texts: [...texts.keys()], shapes: [...shapes.keys()], near: bases, value: packed };
}

/** Returns the value that was packed, and throws for anything else. A reference to nothing becomes undefined, for the reader to notice. */
export function unpack({ texts, shapes, near, value }: Packed): unknown {
  const unpackText = (text: string): unknown => {
    if (text.startsWith("~")) return texts[Number.parseInt(text.slice(1), 36)];
    if (text.startsWith("#")) return [...(unpackNumbers(text.slice(1)) ?? [])];
    if (text.startsWith("%")) return withZeros(unpackNumbers(text.slice(1)) ?? []);
    return text.startsWith("^") ? near[Number(text[1])]! - Number.parseInt(text.slice(2), 36) : text;
  };

  const unpackAny = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return unpackText(item);
    if (!Array.isArray(item)) return typeof item === "object" ? (item === null ? undefined : false) : item;
    if (item.length === 0) return true;
    if (depth > DEEPEST)
      throw new DoomloopError("invalid-snapshot", "snapshot: plain data is required, got data that nests too deep");
    const [kind, ...items] = item.map((each, at) => (at === 0 ? each : unpackAny(each, depth + 1)));
    if (kind === LIST) return items;
    if (kind === MAP) return new Map(items.flatMap((key, at) => (at % 2 === 0 ? [[key, items[at + 1]] as const] : [])));
    const keys = typeof kind === "number" ? shapes[kind] : undefined;
    if (typeof keys !== "string") throw new DoomloopError("invalid-snapshot", "snapshot: a known shape is required");
    return keys === "" ? {} : Object.fromEntries(keys.split(" ").map((key, at) => [key, items[at]]));
  };

  return unpackAny(value, 0);
}

/** Whether a value has the form of another: values of the same types under the same names. */
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
  if (list.length < SHORTEST_PACKED) return false;
  return list.every((item) => typeof item === "number" && (item & 0xffff) === item);
}

/** A list of 16-bit numbers as text. If most are 0: how long it is, and then the place and value of each that is not. */
function packList(numbers: ArrayLike<number>): string {
  const others: number[] = [numbers.length];
  for (let at = 0; at < numbers.length; at++) if (numbers[at] !== 0) others.push(at, numbers[at]!);
  const isSparse = others.length < numbers.length && numbers.length <= LONGEST_SPARSE;
  return isSparse ? `%${packNumbers(others)}` : `#${packNumbers(Array.from(numbers))}`;
}

function withZeros([length = 0, ...others]: ArrayLike<number> & Iterable<number>): number[] {
  const numbers = new Array<number>(length).fill(0);
  for (let at = 0; at + 1 < others.length; at += 2) if (others[at]! < length) numbers[others[at]!] = others[at + 1]!;
  return numbers;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Writes 16-bit numbers as text that JSON need not escape: eight characters for every three numbers. */
export function packNumbers(numbers: Iterable<number>): string {
  let text = "";
  let waiting = 0;
  let bits = 0;
  for (const number of numbers) {
    waiting = (waiting << 16) | number;
    for (bits += 16; bits >= 6; bits -= 6) text += alphabet[(waiting >>> (bits - 6)) & 63];
    waiting &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(waiting << (6 - bits)) & 63] : text;
}

/** Reads what {@link packNumbers} wrote; undefined for anything else, so that a damaged snapshot is noticed. */
export function unpackNumbers(text: unknown): Uint16Array | undefined {
  if (typeof text !== "string") return;
  const numbers = new Uint16Array(Math.floor((text.length * 6) / 16));
  let count = 0;
  let waiting = 0;
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const value = sextetOf(text.charCodeAt(index));
    if (value < 0) return;
    waiting = (waiting << 6) | value;
    bits += 6;
    if (bits < 16) continue;
    bits -= 16;
    numbers[count++] = waiting >>> bits;
    waiting &= (1 << bits) - 1;
  }
  return bits < 6 && waiting === 0 ? numbers : undefined;
}

function sextetOf(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 45) return 62;
  return code === 95 ? 63 : -1;
}
