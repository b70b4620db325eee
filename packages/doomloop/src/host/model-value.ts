import { boundedJson } from "./bounded-json.ts";
import { isObject } from "./is-object.ts";

const MAX_NODES = 20_000;

/** What the guard compares by content, although it is no plain data. */
const COMPARED = [Date, Error, Map, Set, Uint8Array];

/**
 * A tool's value as the model reads it, for hosts that write values as JSON.
 *
 * An instance of a class, such as a row of an ORM, a decimal or a URL, may equal nothing to a guard, although the model reads the same
 * JSON each time. So the guard gets that JSON as plain data. It is written as the host writes it, `toJSON` and getters included.
 * Plain data and text are given back as they are, and so is what cannot be written or is too large.
 */
export function modelValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  try {
    if (isPlain(value)) return value;
    const json = boundedJson(value);
    return json === undefined ? value : JSON.parse(json);
  } catch {
    // A proxy, a getter or a `toJSON` that throws: the host meets it by itself.
    return value;
  }
}

/** Whether there is nothing but plain data in a value. What is too large counts as plain: no guard compares it anyway. */
function isPlain(root: object): boolean {
  const waiting: object[] = [root];
  for (let nodes = 0; waiting.length > 0 && nodes < MAX_NODES; ) {
    const value = waiting.pop()!;
    if (COMPARED.some((known) => value instanceof known)) continue;
    if (!Array.isArray(value) && !hasPlainPrototype(value)) return false;
    const keys = Object.keys(value);
    nodes += keys.length + 1;
    if (nodes > MAX_NODES) return true;
    for (const key of keys) {
      const { value: inner, get } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      if (get !== undefined || typeof inner === "function" || typeof inner === "symbol") return false;
      if (isObject(inner)) waiting.push(inner);
    }
  }
  return true;
}

/** What has no prototype above its own is a plain object, also one of another realm. */
function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
