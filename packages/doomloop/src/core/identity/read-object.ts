import type { Platform } from "./platform.ts";

/**
 * What is compared in place of an object. `fields`: its own fields or items. `json`: what the object itself says that it is. `parts`: what
 * makes two values of a built-in class equal.
 */
export type ObjectReading =
  | { readonly by: "json"; readonly value: unknown }
  | { readonly by: "parts"; readonly parts: readonly unknown[] }
  | { readonly by: "fields" };

const MAX_PARTS = 20_000;
const MAX_BYTES = 262_144;
const MAX_PROTOTYPES = 16;
export const FIELDS: ObjectReading = { by: "fields" };

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Says how an object is read. Undefined for one that shows nothing to compare, such as a proxy, a promise or a response.
 *
 * Only `toJSON` is run, as the host does when it writes the object for the model. Getters, iterators and proxy traps are not.
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
  // What has no prototype above it is the `Object.prototype` of another realm: a `vm` context, a test runner.
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
    // It has the prototype and is none, or its own code fails.
    return undefined;
  }
  return Array.isArray(value) || Object.keys(value).length > 0 ? FIELDS : undefined;
}

/** The prototypes of a value, the nearest first; undefined where one of them is a proxy. */
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

/** The method that a call by this name would run, unless a getter would have to be run to find it. */
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
const byteLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length")!.get!;
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
/** Equals nothing: it cannot be written. */
const TOO_MUCH = [Symbol("too much")];

/** The built-in classes that are compared, and what makes two of their instances equal. Their own methods are used, never the instance's. */
const BUILT_INS = new Map<object, (value: never) => readonly unknown[]>([
  [datePrototype, (value) => ["date", datePrototype.getTime.call(value)]],
  [Error.prototype, (value) => ["error", Object.getOwnPropertyDescriptor(value, "message")?.value ?? TOO_MUCH]],
  [Map.prototype, (value) => ["map", ...entriesOf(eachOfMap, value, mapSize.call(value))]],
  [Set.prototype, (value) => ["set", ...entriesOf(eachOfSet, value, setSize.call(value))]],
  [
    Uint8Array.prototype,
    (value) => (byteLength.call(value) > MAX_BYTES ? TOO_MUCH : ["bytes", textOfBytes(new Uint8Array(value))]),
  ],
]);

function textOfBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

function entriesOf(each: typeof eachOfMap | typeof eachOfSet, value: never, size: number): readonly unknown[] {
  const entries: unknown[] = [];
  if (size > MAX_PARTS) return TOO_MUCH;
  each.call(value, (item: unknown, key: unknown) => entries.push(key, item));
  return entries;
}
