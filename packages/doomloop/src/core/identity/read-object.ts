import { digestOf } from "./digest.ts";

/** What the core cannot find out in plain JavaScript. The entry point provides it. */
export interface Platform {
  /** Whether a value is a `Proxy`, without running its traps. */
  isProxy(value: object): boolean;
  /** What makes two instances of a platform class equal, such as `URL` and `Headers`; undefined for other values. */
  readOwnClass?(value: object): string | undefined;
  /** Warns of a fault if the host has no `onFault`. */
  warn?(fault: unknown): void;
}

/**
 * What is compared in place of an object. `fields`: its own fields or items. `json`: what its `toJSON` returns. `parts`: what makes two
 * instances of a built-in class equal.
 */
export type ObjectReading =
  | { readonly by: "json"; readonly value: unknown }
  | { readonly by: "parts"; readonly parts: readonly unknown[] }
  | { readonly by: "fields" };

/** A value with more parts is large: fields, items and entries. */
export const MAX_PARTS = 20_000;
/** Fields of an object that is compared. They can only be listed all at once, and that takes long. */
export const MAX_FIELDS = 30_000;
const MAX_BINARY = 262_144;
const MAX_PROTOTYPES = 16;
export const FIELDS: ObjectReading = { by: "fields" };

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Says how an object is read. Undefined if there is nothing to compare, as in a proxy, a promise or a response.
 *
 * Of the object's own code, only `toJSON` is run, as the host does when it writes the object for the model.
 */
export function readObject(value: unknown, platform: Platform): ObjectReading | undefined {
  if (!isObject(value) || platform.isProxy(value)) return undefined;
  return isPlain(value, platform) ? FIELDS : readClass(value, platform);
}

function isPlain(value: object, platform: Platform): boolean {
  if (Object.hasOwn(value, "toJSON")) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  // A prototype at the top is the `Object.prototype` of another realm: a `vm` context, a test runner.
  return !platform.isProxy(prototype) && Object.getPrototypeOf(prototype) === null;
}

function readClass(value: object, platform: Platform): ObjectReading | undefined {
  const chain = prototypesOf(value, platform);
  if (chain === undefined) return undefined;
  try {
    const builtIn = chain.find((prototype) => BUILT_INS.has(prototype));
    if (builtIn !== undefined) return { by: "parts", parts: BUILT_INS.get(builtIn)!(value as never) };
    const own = platform.readOwnClass?.(value);
    if (own !== undefined) return { by: "parts", parts: ["own", own] };
    const toJson = methodOf([value, ...chain], "toJSON");
    if (toJson !== undefined) return { by: "json", value: toJson.call(value, "") };
  } catch {
    // It only pretends to be an instance, or its own code fails.
    return undefined;
  }
  return Array.isArray(value) || Object.keys(value).length > 0 ? FIELDS : undefined;
}

/** The prototypes of a value, nearest first; undefined if one of them is a proxy. */
export function prototypesOf(value: object, platform: Platform): readonly object[] | undefined {
  const chain: object[] = [];
  let prototype = Object.getPrototypeOf(value) as object | null;
  while (prototype !== null && chain.length < MAX_PROTOTYPES) {
    if (platform.isProxy(prototype)) return undefined;
    chain.push(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}

/** The method that a call by this name would run, unless finding it means running a getter. */
function methodOf(owners: readonly object[], name: string): ((...args: unknown[]) => unknown) | undefined {
  for (const owner of owners) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (property !== undefined) return typeof property.value === "function" ? property.value : undefined;
  }
  return undefined;
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given date, not the clock
const { prototype: datePrototype } = Date;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, "size")!.get!;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, "size")!.get!;
const numbersPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const [byteLength, byteOffset, buffer, className] = ["byteLength", "byteOffset", "buffer", Symbol.toStringTag].map(
  (name) => Object.getOwnPropertyDescriptor(numbersPrototype, name)!.get!,
) as [() => number, () => number, () => ArrayBuffer, () => string];
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
/** Cannot be written, so it equals nothing. */
const TOO_MUCH = [Symbol("too much")];

/** What makes two instances of a built-in class equal. Uses the methods of the class, never those of the instance. */
const BUILT_INS = new Map<object, (value: never) => readonly unknown[]>([
  [datePrototype, (value) => ["date", datePrototype.getTime.call(value)]],
  [Error.prototype, (value) => ["error", Object.getOwnPropertyDescriptor(value, "message")?.value ?? TOO_MUCH]],
  [Map.prototype, (value) => ["map", ...entriesOf(eachOfMap, value, mapSize.call(value))]],
  [Set.prototype, (value) => ["set", ...entriesOf(eachOfSet, value, setSize.call(value))]],
  [numbersPrototype, (value) => (byteLength.call(value) > MAX_BINARY ? TOO_MUCH : bytesOf(value))],
]);

/** Bytes and other lists of numbers, as a digest: most of them are no characters that a text is compared by. */
function bytesOf(value: never): readonly [string, number, string] {
  const bytes = new Uint8Array(buffer.call(value), byteOffset.call(value), byteLength.call(value));
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return [className.call(value), bytes.length, digestOf(text)];
}

function entriesOf(each: typeof eachOfMap | typeof eachOfSet, value: never, size: number): readonly unknown[] {
  const entries: unknown[] = [];
  if (size > MAX_PARTS) return TOO_MUCH;
  each.call(value, (item: unknown, key: unknown) => entries.push(key, item));
  return entries;
}
