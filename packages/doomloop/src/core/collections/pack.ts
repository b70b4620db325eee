import { DoomloopError } from "../doomloop-error.ts";

/**
 * Plain data in a small form of JSON. Objects of one shape share their keys, longer texts are written once and referred to, and a list
 * of 16-bit numbers is one text, shorter if most are 0.
 */
export interface Packed {
  readonly texts: readonly string[];
  /** The keys of each kind of object, separated by spaces. */
  readonly shapes: readonly string[];
  readonly value: unknown;
}

/** Texts up to this length are not worth a reference. */
const SHORT_TEXT = 5;
const SIGNS = "~#%";
const LIST = -1;
const MAP = -2;
/** Shorter lists of numbers are not worth packing. */
const SHORTEST_PACKED = 4;
const DEEPEST = 16;
const LONG_LIST = 1_000;
/** Places in a list are 16-bit numbers, too. */
const LONGEST_SPARSE = 0xffff;

/** Packs plain data: objects, lists, maps, texts, numbers, booleans and undefined. A `Uint16Array` becomes a list. */
export function pack(value: unknown): Packed {
  const texts = new Map<string, number>();
  const shapes = new Map<string, number>();

  const packText = (text: string): string =>
    text.length <= SHORT_TEXT && !SIGNS.includes(text.charAt(0)) ? text : `~${placeIn(texts, text).toString(36)}`;

  const packAny = (item: unknown): unknown => {
    if (typeof item === "string") return packText(item);
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
  return { texts: [...texts.keys()], shapes: [...shapes.keys()], value: packed };
}

/** Returns the value that was packed, and throws for anything else. A reference to nothing becomes undefined, for the reader to notice. */
export function unpack(packed: Packed): unknown {
  const { texts, shapes, value } = packed ?? {};
  if (!Array.isArray(texts) || !Array.isArray(shapes)) refuse("packed data is required");
  const empty = shapes.map(emptyOf);
  const unpackText = (text: string): unknown => {
    if (text.startsWith("~")) return texts[Number.parseInt(text.slice(1), 36)];
    if (text.startsWith("#")) return listOf(unpackNumbers(text.slice(1)));
    return text.startsWith("%") ? listOf(withZeros(unpackNumbers(text.slice(1)) ?? [])) : text;
  };

  const unpackAny = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") return unpackText(item);
    if (!Array.isArray(item)) return typeof item === "object" ? (item === null ? undefined : false) : item;
    if (item.length === 0) return true;
    if (depth > DEEPEST) refuse("plain data is required, got data that nests too deep");
    const [kind, ...items] = item.map((each, at) => (at === 0 ? each : unpackAny(each, depth + 1)));
    if (kind === LIST) return items;
    if (kind === MAP) return new Map(items.flatMap((key, at) => (at % 2 === 0 ? [[key, items[at + 1]] as const] : [])));
    const form = typeof kind === "number" ? empty[kind] : undefined;
    if (form === undefined) return refuse("a known shape is required");
    const object = { ...form.object };
    for (const [at, key] of form.keys.entries()) object[key] = items[at];
    return object;
  };

  return unpackAny(value, 0);
}

/** The objects of one shape are copies of one that the parser of JSON has made. If their fields were added, each would be a hash table of its own. */
function emptyOf(
  shape: unknown,
): { readonly object: Record<string, unknown>; readonly keys: readonly string[] } | undefined {
  if (typeof shape !== "string") return undefined;
  const keys = shape === "" ? [] : shape.split(" ");
  const object = JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))));
  return { object, keys };
}

/** A long list stays as small as it is: one of numbers of any kind takes four times the space. */
function listOf(numbers: Uint16Array | undefined): Uint16Array | number[] {
  return numbers === undefined ? [] : numbers.length < LONG_LIST ? [...numbers] : numbers;
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-snapshot", `snapshot: ${message}`);
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

function withZeros([length = 0, ...others]: ArrayLike<number> & Iterable<number>): Uint16Array {
  const numbers = new Uint16Array(length);
  for (let at = 0; at + 1 < others.length; at += 2) if (others[at]! < length) numbers[others[at]!] = others[at + 1]!;
  return numbers;
}

/** Writes 16-bit numbers as text that JSON need not escape: base64, by hand, because embedded engines have no `btoa`. */
export function packNumbers(numbers: Iterable<number>): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const number of numbers) {
    held = (held << 16) | number;
    for (bits += 16; bits >= 6; bits -= 6) text += LETTERS[(held >> (bits - 6)) & 63];
  }
  if (bits > 0) text += LETTERS[(held << (6 - bits)) & 63];
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
}

/** Reads what {@link packNumbers} wrote; undefined for anything else, so that a damaged snapshot is noticed. */
export function unpackNumbers(text: unknown): Uint16Array | undefined {
  if (typeof text !== "string" || text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
  const numbers: number[] = [];
  let held = 0;
  let bits = 0;
  for (let at = 0; at < text.length && text[at] !== "="; at++) {
    held = (held << 6) | places[text.charCodeAt(at)]!;
    bits += 6;
    if (bits < 16) continue;
    bits -= 16;
    numbers.push((held >> bits) & 0xffff);
  }
  return bits < 6 && (held & ((1 << bits) - 1)) === 0 ? Uint16Array.from(numbers) : undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const places = Uint8Array.from({ length: 128 }, (_, unit) => LETTERS.indexOf(String.fromCharCode(unit)));
const BASE64 = /^[A-Za-z\d+/]{0,200000}={0,2}$/;
