import { byteWriter } from "./byte-writer.ts";

/** What the core cannot find out in plain JavaScript; the entry point that knows the platform fills it in. */
export interface Platform {
  /** Whether a value is a `Proxy`, asked without running its traps. */
  isProxy(value: object): boolean;
}

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_TEXT = 262_144;

/** One kind byte per type: what differs in type never writes the same bytes. */
const KIND = {
  undefined: 1,
  null: 2,
  false: 3,
  true: 4,
  number: 5,
  bigint: 6,
  array: 7,
  object: 8,
  hole: 9,
  date: 10,
  map: 11,
  set: 12,
  error: 14,
  bytes: 15,
  cycle: 16,
} as const;

interface Frame {
  readonly owner: object;
  /** Sorted property names; undefined for a list of values. */
  readonly keys: readonly string[] | undefined;
  /** For lists: the values, already read without running foreign code. */
  readonly values: readonly unknown[] | undefined;
  next: number;
}

/**
 * Writes a value so that equal bytes mean equal values: typed, length-prefixed, keys in order.
 *
 * Runs no foreign code: getters, `toJSON`, iterators and proxy traps are never called. Returns false for a value that
 * it does not compare (a class instance, a function, a proxy, anything over the caps): such a value equals nothing.
 */
export function writeCanonical(root: unknown, platform: Platform): boolean {
  const frames: Frame[] = [];
  let nodes = 0;
  let textLength = 0;
  let value = root;

  for (;;) {
    if (++nodes > MAX_NODES) return false;
    if (typeof value === "string") {
      textLength += value.length;
      if (textLength > MAX_TEXT) return false;
      byteWriter.text(value);
    } else if (typeof value === "object" && value !== null) {
      const distance = distanceTo(frames, value);
      if (distance > 0) {
        byteWriter.byte(KIND.cycle);
        byteWriter.byte(distance);
      } else {
        if (frames.length === MAX_DEPTH) return false;
        const frame = openFrame(value, platform);
        if (frame === undefined) return false;
        if (frame !== NO_CHILDREN) frames.push(frame);
      }
    } else if (!writePrimitive(value)) return false;

    let frame = frames.at(-1);
    while (frame !== undefined && frame.next === childCount(frame)) {
      frames.pop();
      frame = frames.at(-1);
    }
    if (frame === undefined) return true;

    if (frame.keys === undefined) {
      value = frame.values![frame.next++];
      continue;
    }
    const key = frame.keys[frame.next++]!;
    textLength += key.length;
    if (frames.length === 1) byteWriter.mark();
    byteWriter.text(key);
    const property = Object.getOwnPropertyDescriptor(frame.owner, key);
    if (property === undefined || !("value" in property)) return false;
    value = property.value;
  }
}

const NO_CHILDREN: Frame = { owner: {}, keys: undefined, values: [], next: 0 };
const HOLE = Symbol("hole");

function writePrimitive(value: unknown): boolean {
  if (value === undefined) byteWriter.byte(KIND.undefined);
  else if (value === null) byteWriter.byte(KIND.null);
  else if (typeof value === "boolean") byteWriter.byte(value ? KIND.true : KIND.false);
  else if (typeof value === "number") {
    byteWriter.byte(KIND.number);
    byteWriter.float64(Number.isNaN(value) ? Number.NaN : value);
  } else if (value === HOLE) byteWriter.byte(KIND.hole);
  else if (typeof value === "bigint") {
    if (value > BIGGEST || value < -BIGGEST) return false;
    byteWriter.byte(KIND.bigint);
    byteWriter.text(value.toString(36));
  } else return false;
  return true;
}

/** Larger integers are not worth printing: the cost grows with the square of their length. */
const BIGGEST = 1n << 1024n;

function childCount(frame: Frame): number {
  return frame.keys === undefined ? frame.values!.length : frame.keys.length;
}

/** How many levels up the value is its own ancestor; 0 if it is not. */
function distanceTo(frames: readonly Frame[], value: object): number {
  for (let level = frames.length - 1; level >= 0; level--) {
    if (frames[level]!.owner === value) return frames.length - level;
  }
  return 0;
}

function openFrame(value: object, platform: Platform): Frame | undefined {
  if (platform.isProxy(value)) return undefined;
  if (Array.isArray(value)) return openArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || isForeignObjectPrototype(prototype, platform)) {
    return openObject(value);
  }
  return openBuiltIn(value, platform);
}

/** `Object.prototype` of another realm: values that come out of a `vm` context or a test runner are plain all the same. */
function isForeignObjectPrototype(prototype: unknown, platform: Platform): boolean {
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    !platform.isProxy(prototype) &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "propertyIsEnumerable")
  );
}

function openObject(value: object): Frame | undefined {
  const keys = Object.keys(value);
  if (keys.length > MAX_NODES) return undefined;
  for (let at = 1; at < keys.length; at++) {
    if (keys[at]! < keys[at - 1]!) {
      keys.sort();
      break;
    }
  }
  byteWriter.byte(KIND.object);
  byteWriter.uint32(keys.length);
  return keys.length === 0 ? NO_CHILDREN : { owner: value, keys, values: undefined, next: 0 };
}

function openArray(value: readonly unknown[]): Frame | undefined {
  if (value.length > MAX_NODES) return undefined;
  const values: unknown[] = [];
  for (let at = 0; at < value.length; at++) {
    const element = Object.getOwnPropertyDescriptor(value, at);
    if (element === undefined) values.push(HOLE);
    else if ("value" in element) values.push(element.value);
    else return undefined;
  }
  return openList(KIND.array, value, values);
}

function openList(kind: number, owner: object, values: readonly unknown[]): Frame {
  byteWriter.byte(kind);
  byteWriter.uint32(values.length);
  return values.length === 0 ? NO_CHILDREN : { owner, keys: undefined, values, next: 0 };
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given date, not the clock
const { prototype: datePrototype } = Date;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get!;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get!;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

/** The built-in kinds whose content plain JavaScript can read by their own methods; everything else is not compared. */
function openBuiltIn(value: object, platform: Platform): Frame | undefined {
  // `instanceof` walks the prototypes, and one of them may be a proxy.
  for (let prototype: unknown = Object.getPrototypeOf(value), depth = 0; prototype !== null; depth++) {
    if (depth > 8 || platform.isProxy(prototype as object)) return undefined;
    prototype = Object.getPrototypeOf(prototype);
  }
  if (isDate(value)) return writeText(KIND.date, String(datePrototype.getTime.call(value as never)));
  if (value instanceof RegExp) return undefined;
  if (value instanceof Error) return openError(value);
  if (value instanceof Uint8Array) return openBytes(value);
  if (value instanceof Map) {
    if (mapSize.call(value) > MAX_NODES / 2) return undefined;
    const entries: unknown[] = [];
    mapForEach.call(value, (item, key) => entries.push(key, item));
    return openList(KIND.map, value, entries);
  }
  if (value instanceof Set) {
    if (setSize.call(value) > MAX_NODES) return undefined;
    const items: unknown[] = [];
    setForEach.call(value, (item) => items.push(item));
    return openList(KIND.set, value, items);
  }
  return undefined;
}

function isDate(value: object): boolean {
  return Object.prototype.isPrototypeOf.call(datePrototype, value);
}

function openError(value: Error): Frame | undefined {
  const message = Object.getOwnPropertyDescriptor(value, "message");
  if (message === undefined || typeof message.value !== "string" || message.value.length > MAX_TEXT) return undefined;
  return writeText(KIND.error, message.value);
}

function openBytes(value: Uint8Array): Frame | undefined {
  if (value.length > MAX_TEXT) return undefined;
  byteWriter.byte(KIND.bytes);
  byteWriter.uint32(value.length);
  for (let at = 0; at < value.length; at++) byteWriter.byte(value[at]!);
  return NO_CHILDREN;
}

function writeText(kind: number, text: string): Frame {
  byteWriter.byte(kind);
  byteWriter.text(text);
  return NO_CHILDREN;
}
