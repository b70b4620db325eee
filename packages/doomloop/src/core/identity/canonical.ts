import type { Platform } from "./platform.ts";
import { FIELDS, isObject, type ObjectReading, readObject } from "./read-object.ts";

/** A value written down. */
export interface Canonical {
  /** Equal for equal values under one name, and for no others: all texts, each on a line, then what they are and how long. */
  readonly text: string;
  /** Where the texts end. */
  readonly end: number;
  /** Where the outermost fields begin: their name on a line, and what they hold. */
  readonly fields: readonly number[];
}

interface Writer {
  text: string;
  /** A mark for each value, with the length of its text: so no two values are written alike. */
  shape: string;
}

interface Frame {
  readonly mark: string;
  readonly owner: object;
  /** Names in order; undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly count: number;
  next: number;
}

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_TEXT = 262_144;
/** Each runs code of the value's own, at a cost that nobody knows. */
const MAX_TO_JSON = 4096;

/**
 * Writes a value down under a name.
 *
 * Values of classes are written as the model reads them, as far as that can be told (`readObject`). Undefined for a value that is not
 * compared (a proxy, a cycle, a promise, anything over the caps): such a value equals nothing.
 */
export function canonicalOf(root: unknown, platform: Platform, name = ""): Canonical | undefined {
  const writer: Writer = { text: "", shape: "" };
  const frames: Frame[] = [];
  const fields: number[] = [];
  let frame: Frame | undefined;
  let value = root;
  let toJsonCalls = 0;
  if (typeof root === "function" || !writeText(writer, "=", name)) return undefined;

  for (let nodes = 0; nodes < MAX_NODES; nodes++) {
    let read = readObject(value, platform);
    if (read?.by === "json") {
      if (++toJsonCalls > MAX_TO_JSON) return undefined;
      value = read.value;
      read = isObject(value) && !platform.isProxy(value) ? FIELDS : undefined;
    }
    if (isObject(value)) {
      if (read === undefined || frames.length === MAX_DEPTH) return undefined;
      frame = openFrame(value, read);
      if (frame.count > MAX_NODES) return undefined;
      frames.push(frame);
      writer.shape += frame.mark;
    } else if (!writePrimitive(writer, value)) return undefined;

    for (let isFound = false; !isFound; ) {
      while (frame !== undefined && frame.next === frame.count) {
        frames.pop();
        frame = frames.at(-1);
        writer.shape += "]";
      }
      if (frame === undefined) return { text: writer.text + writer.shape, end: writer.text.length, fields };

      const key = frame.keys === undefined ? frame.next : frame.keys[frame.next]!;
      const property = Object.getOwnPropertyDescriptor(frame.owner, key);
      frame.next++;
      if (property === undefined || !("value" in property)) return undefined;
      value = property.value;
      // A field without a value is as good as none, as in JSON.
      isFound = value !== undefined || typeof key === "number";
      if (isFound && typeof key === "string") {
        if (frames.length === 1) fields.push(writer.text.length);
        if (!writeText(writer, ":", key)) return undefined;
      }
    }
  }
  return undefined;
}

/** The properties with these names, as far as they are plain data, as an object of their own. */
export function pick(value: object, names: readonly string[]): Record<string, unknown> {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(value, name);
    if (property !== undefined && "value" in property) picked[name] = property.value;
  }
  return picked;
}

function writeText(writer: Writer, mark: string, text: string): boolean {
  if (writer.text.length + text.length > MAX_TEXT) return false;
  writer.text += `${text}\n`;
  writer.shape += `${mark}${text.length}`;
  return true;
}

/** Larger integers are not worth printing: the cost grows with the square of their length. */
const BIGGEST = 1n << 1024n;

function writePrimitive(writer: Writer, value: unknown): boolean {
  if (typeof value === "string") return writeText(writer, "s", value);
  if (typeof value === "number") return writeText(writer, "n", Object.is(value, -0) ? "-0" : String(value));
  if (typeof value === "bigint") return value < BIGGEST && value > -BIGGEST && writeText(writer, "i", value.toString());
  if (typeof value === "symbol") return false;
  // Nobody reads a function: JSON leaves it out.
  writer.shape += typeof value === "function" ? "<function>" : `<${value}>`;
  return true;
}

/** Begins a value with parts. */
function openFrame(value: object, read: ObjectReading): Frame {
  const list = read.by === "parts" ? read.parts : Array.isArray(value) ? value : undefined;
  if (list !== undefined) {
    return { mark: read.by === "parts" ? "(" : "[", owner: list, keys: undefined, count: list.length, next: 0 };
  }
  const keys = Object.keys(value);
  for (let at = 1; at < keys.length && keys.length < MAX_NODES; at++) {
    if (keys[at]! < keys[at - 1]!) {
      keys.sort();
      break;
    }
  }
  return { mark: "{", owner: value, keys, count: keys.length, next: 0 };
}
