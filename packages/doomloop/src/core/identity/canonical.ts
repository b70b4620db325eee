import { type Digest, digestOf, digestOfAll } from "./digest.ts";
import type { Platform } from "./read-object.ts";
import { FIELDS, isObject, MAX_FIELDS, MAX_PARTS, type ObjectReading, readObject } from "./read-object.ts";

/** A value, written as text. */
export interface Canonical {
  /** Equal for equal values under one name, and only for those: all texts, each on a line, then their types and lengths. */
  readonly text: string;
  /** Where the texts end. */
  readonly end: number;
  /** Where the outermost fields begin, each with its name on a line, then its value. */
  readonly fields: readonly number[];
  /** Whether the value is large: its text is folded, or was not read in full, and says nothing about its fields. */
  readonly isLarge: boolean;
}

interface Writer {
  text: string;
  /** A mark for each value, with the length of its text, so that no two values are written alike. */
  shape: string;
  /** Characters of long texts, and of what was folded. */
  digested: number;
  /** More text than this is folded. */
  maxText: number;
}

interface Frame {
  readonly mark: string;
  readonly owner: object;
  /** Sorted names; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  next: number;
}

const MAX_NESTING = 64;
/** Characters of a value that is compared. */
export const MAX_TEXT = 262_144;
/** A longer text, such as a picture, is written as its digest, up to so many characters of all of them. */
const LONG_TEXT = 65_536;
/** Characters that are folded at a time, where the text is not needed: short ones take less memory. */
const FOLD = 8_192;
const MAX_DIGESTED = 4_194_304;
/** So many parts are read one by one. Of the rest, some are, at growing speed, and the sizes of all lists that are open by then. */
const MAX_READ_ALL = MAX_PARTS;
const MAX_READ = MAX_READ_ALL + 6_000;
/** Many fields cost something to list, too: half of what it costs to read them. */
const MANY_FIELDS = 1_000;
/** Of what is left of a list, one part in so many is read next, so that its end is read in full. */
const LEFT_A_STEP = 256;
/** Calls of `toJSON`, which is foreign code of unknown cost. */
const MAX_TO_JSON = 4096;

/**
 * Writes a value as text, under a name.
 *
 * Instances of classes are written as the model reads them, as far as that can be known (`readObject`). Undefined for a value that
 * cannot be compared (a proxy, a cycle, a promise, too many fields): such a value equals nothing. Very large values are equal if all that is
 * read of them is equal: most of the beginning, a part of the middle, the end, and the size.
 */
export function canonicalOf(root: unknown, platform: Platform, name = "", maxText = MAX_TEXT): Canonical | undefined {
  const writer: Writer = { text: "", shape: "", digested: 0, maxText };
  const frames: Frame[] = [];
  const fields: number[] = [];
  let frame: Frame | undefined;
  let value = root;
  let toJsonCalls = 0;
  if (typeof root === "function" || !writeText(writer, "=", name)) return undefined;

  for (let nodes = 0; ; nodes++) {
    let read = isObject(value) ? readObject(value, platform) : undefined;
    if (read?.by === "json") {
      if (++toJsonCalls > MAX_TO_JSON) return undefined;
      value = read.value;
      read = isObject(value) && !platform.isProxy(value) ? FIELDS : undefined;
    }
    if (isObject(value)) {
      if (read === undefined || frames.length === MAX_NESTING) return undefined;
      frame = openFrame(value, read);
      if (frame.keys !== undefined && frame.count > MAX_FIELDS) return undefined;
      if (frame.keys !== undefined && frame.count > MANY_FIELDS) nodes += frame.count >> 1;
      frames.push(frame);
      writer.shape += frame.mark;
    } else if (!writePrimitive(writer, value)) return undefined;

    for (let isFound = false; !isFound; ) {
      while (frame !== undefined && (frame.next >= frame.count || nodes >= MAX_READ)) {
        writer.shape += nodes < MAX_READ_ALL ? "]" : `${frame.count}]`;
        frames.pop();
        frame = frames.at(-1);
      }
      if (frame === undefined) return canonical(writer, fields, nodes);

      const key = frame.keys === undefined ? frame.next : frame.keys[frame.next]!;
      const property = Object.getOwnPropertyDescriptor(frame.owner, key);
      frame.next += nodes < MAX_READ_ALL ? 1 : Math.ceil((frame.count - frame.next) / LEFT_A_STEP);
      if (property === undefined || !("value" in property)) return undefined;
      value = property.value;
      // As in JSON, a field without a value counts as missing.
      isFound = value !== undefined || typeof key === "number";
      if (!isFound) nodes++;
      if (isFound && typeof key === "string") {
        if (frames.length === 1) fields.push(writer.text.length);
        if (!writeText(writer, ":", key)) return undefined;
      }
    }
  }
}

function canonical({ text, shape }: Writer, fields: readonly number[], nodes: number): Canonical {
  return { text: text + shape, end: text.length, fields, isLarge: nodes > MAX_PARTS || shape.startsWith(FOLDED) };
}

/** The digest of a value. */
export function digestOfValue(root: unknown, platform: Platform): Digest | undefined {
  const written = canonicalOf(root, platform, "", FOLD);
  return written && digestOf(written.text);
}

/** A new object with the properties of these names, without getters. */
export function pick(value: object, names: readonly string[]): Record<string, unknown> {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(value, name);
    if (property !== undefined && "value" in property) picked[name] = property.value;
  }
  return picked;
}

function writeText(writer: Writer, mark: string, text: string): boolean {
  if (writer.text.length + text.length > writer.maxText && !fold(writer, text.length)) return false;
  writer.text += `${text}\n`;
  writer.shape += `${mark}${text.length}`;
  return true;
}

/** The shape of a value begins with it if something was folded. */
const FOLDED = "f";

/** Makes room for more text: what is written so far becomes its digest. Equal values are folded at the same places. */
function fold(writer: Writer, more: number): boolean {
  writer.digested += writer.text.length;
  if (more > MAX_TEXT || writer.digested > MAX_DIGESTED) return false;
  writer.text = `${digestOfAll(writer.text, writer.shape)}\n`;
  writer.shape = FOLDED;
  writer.maxText = FOLD;
  return true;
}

function writeString(writer: Writer, text: string): boolean {
  if (text.length <= LONG_TEXT) return writeText(writer, "s", text);
  writer.digested += text.length;
  return writer.digested <= MAX_DIGESTED && writeText(writer, `d${text.length}:`, digestOf(text));
}

/** Larger integers are not written: the cost grows with the square of their length. */
export const BIGGEST = 1n << 1024n;

function writePrimitive(writer: Writer, value: unknown): boolean {
  if (typeof value === "string") return writeString(writer, value);
  if (typeof value === "number") return writeText(writer, "n", Object.is(value, -0) ? "-0" : String(value));
  if (typeof value === "bigint") return value < BIGGEST && value > -BIGGEST && writeText(writer, "i", value.toString());
  if (typeof value === "symbol") return false;
  // As in JSON, a function says nothing.
  writer.shape += typeof value === "function" ? "<function>" : `<${value}>`;
  return true;
}

/** Begins a value that has parts. */
function openFrame(value: object, read: ObjectReading): Frame {
  const list = read.by === "parts" ? read.parts : Array.isArray(value) ? value : undefined;
  if (list !== undefined) {
    return { mark: read.by === "parts" ? "(" : "[", owner: list, keys: undefined, count: list.length, next: 0 };
  }
  const keys = Object.keys(value);
  for (let at = 1; at < keys.length && keys.length < MAX_PARTS; at++) {
    if (keys[at]! < keys[at - 1]!) {
      keys.sort();
      break;
    }
  }
  return { mark: "{", owner: value, keys, count: keys.length, next: 0 };
}
