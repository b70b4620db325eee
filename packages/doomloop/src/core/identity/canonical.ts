/** What the core cannot find out in plain JavaScript; the entry point that knows the platform fills it in. */
export interface Platform {
  /** Whether a value is a `Proxy`, asked without running its traps. */
  isProxy(value: object): boolean;
}

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

/**
 * Writes a value down under a name.
 *
 * Runs no foreign code: getters, `toJSON`, iterators and proxy traps are never called. Undefined for a value that is not
 * compared (a class instance, a function, a proxy, a cycle, anything over the caps): such a value equals nothing.
 */
export function canonicalOf(root: unknown, platform: Platform, name = ""): Canonical | undefined {
  const writer: Writer = { text: "", shape: "" };
  const frames: Frame[] = [];
  const fields: number[] = [];
  let frame: Frame | undefined;
  let value = root;
  if (!writeText(writer, "=", name)) return undefined;

  for (let nodes = 0; nodes < MAX_NODES; nodes++) {
    if (typeof value === "object" && value !== null) {
      if (platform.isProxy(value)) return undefined;
      frame = frames.length < MAX_DEPTH ? openFrame(value, platform) : undefined;
      if (frame === undefined) return undefined;
      frames.push(frame);
      writer.shape += frame.mark;
    } else if (!writePrimitive(writer, value)) return undefined;

    while (frame !== undefined && frame.next === frame.count) {
      frames.pop();
      frame = frames.at(-1);
      writer.shape += "]";
    }
    if (frame === undefined) return { text: writer.text + writer.shape, end: writer.text.length, fields };

    const key = frame.keys === undefined ? frame.next : frame.keys[frame.next]!;
    frame.next++;
    if (typeof key === "string") {
      if (frames.length === 1) fields.push(writer.text.length);
      if (!writeText(writer, ":", key)) return undefined;
    }
    const property = Object.getOwnPropertyDescriptor(frame.owner, key);
    if (property === undefined || !("value" in property)) return undefined;
    value = property.value;
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
  if (value !== null && value !== undefined && typeof value !== "boolean") return false;
  writer.shape += `<${value}>`;
  return true;
}

/** Begins a value with parts; undefined for one that is not compared. */
function openFrame(value: object, platform: Platform): Frame | undefined {
  if (Array.isArray(value)) return { mark: "[", owner: value, keys: undefined, count: value.length, next: 0 };
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype !== null && prototype !== Object.prototype) {
    if (platform.isProxy(prototype)) return undefined;
    // What has no prototype above it is the `Object.prototype` of another realm: a `vm` context, a test runner.
    if (Object.getPrototypeOf(prototype) !== null) return openBuiltIn(value, platform);
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

// biome-ignore lint/style/noRestrictedGlobals: reads a given date, not the clock
const { prototype: datePrototype } = Date;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get!;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get!;
const byteLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length")!.get!;
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
/** Equals nothing: it cannot be written. */
const TOO_MUCH = [Symbol("too much")];

/** The classes that are compared, by prototype, and what makes two of their instances equal. Their own methods are used, never the instance's. */
const BUILT_INS = new Map<object | null, (value: never) => readonly unknown[]>([
  [datePrototype, (value) => ["date", datePrototype.getTime.call(value)]],
  [Error.prototype, (value) => ["error", Object.getOwnPropertyDescriptor(value, "message")?.value ?? TOO_MUCH]],
  [Map.prototype, (value) => ["map", ...entriesOf(eachOfMap, value, mapSize.call(value))]],
  [Set.prototype, (value) => ["set", ...entriesOf(eachOfSet, value, setSize.call(value))]],
  [
    Uint8Array.prototype,
    (value) => (byteLength.call(value) > MAX_TEXT ? TOO_MUCH : ["bytes", textOfBytes(new Uint8Array(value))]),
  ],
]);

function openBuiltIn(value: object, platform: Platform): Frame | undefined {
  let prototype = Object.getPrototypeOf(value) as object | null;
  for (let depth = 0; !BUILT_INS.has(prototype); depth++) {
    if (prototype === null || depth > 8 || platform.isProxy(prototype)) return undefined;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  try {
    const parts = BUILT_INS.get(prototype)!(value as never);
    return { mark: "(", owner: parts, keys: undefined, count: parts.length, next: 0 };
  } catch {
    // It has the prototype, and is none.
    return undefined;
  }
}

function textOfBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function entriesOf(each: typeof eachOfMap | typeof eachOfSet, value: never, size: number): readonly unknown[] {
  const entries: unknown[] = [];
  if (size > MAX_NODES) return TOO_MUCH;
  each.call(value, (item: unknown, key: unknown) => entries.push(key, item));
  return entries;
}
