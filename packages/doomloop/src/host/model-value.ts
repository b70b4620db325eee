import { isObject } from "../core/identity/read-object.ts";

const MAX_NODES = 20_000;

/** Classes that the guard compares by content, although they are not plain data. */
const COMPARED = [Date, Error, Map, Set, Uint8Array];

/**
 * Returns a tool's value as the model reads it, for hosts that write values as JSON.
 *
 * A guard cannot compare every instance of a class (a row of an ORM, a decimal, a URL), although the model reads the same JSON each
 * time. So the guard gets that JSON as plain data, written as the host writes it, with `toJSON` and getters.
 * Plain data and text are returned unchanged, and so is a value that cannot be written or is too large.
 */
export function modelValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  try {
    if (isPlainTree(value)) return value;
    const json = boundedJson(value);
    return json === undefined ? value : JSON.parse(json);
  } catch {
    // A proxy, a getter or a `toJSON` that throws. The host runs into it by itself.
    return value;
  }
}

/** Whether a value consists of plain data all the way down. A value that is too large counts as plain: the guard reads its classes by itself. */
function isPlainTree(root: object): boolean {
  const pending: object[] = [root];
  for (let nodes = 0; pending.length > 0 && nodes < MAX_NODES; ) {
    const value = pending.pop()!;
    if (COMPARED.some((known) => value instanceof known)) continue;
    if (!Array.isArray(value) && !hasPlainPrototype(value)) return false;
    const keys = Object.keys(value);
    nodes += keys.length + 1;
    if (nodes > MAX_NODES) return true;
    for (const key of keys) {
      const { value: inner, get } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      if (get !== undefined || typeof inner === "function" || typeof inner === "symbol") return false;
      if (isObject(inner)) pending.push(inner);
    }
  }
  return true;
}

/** The `Object.prototype` of another realm also has no prototype. */
export function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const MAX_TEXT = 262_144;

/** A value as JSON. Undefined if it is not JSON, contains bytes, or is too long to be compared with every request. */
export function boundedJson(value: unknown): string | undefined {
  try {
    let length = 0;
    return JSON.stringify(value, (_key, inner: unknown) => {
      length += typeof inner === "string" ? inner.length : 1;
      if (length > MAX_TEXT || ArrayBuffer.isView(inner)) throw new RangeError("not compared");
      return inner;
    });
  } catch {
    return undefined;
  }
}
