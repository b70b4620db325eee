import { type ForeignRecord, listOf, recordOf } from "../foreign-value.ts";

/** The attributes of a span, by name. */
export type Attributes = ReadonlyMap<string, unknown>;

const MAX_ATTRIBUTES = 1000;

/** Reads a list of keys and typed values. Integers come as text, because JSON has no room for 64 bits. */
export function attributesOf(list: unknown): Attributes {
  const attributes = new Map<string, unknown>();
  for (const entry of listOf(list).slice(0, MAX_ATTRIBUTES)) {
    const { key, value } = recordOf(entry) ?? {};
    if (typeof key === "string") attributes.set(key, typedValue(recordOf(value)));
  }
  return attributes;
}

function typedValue(value: ForeignRecord | undefined): unknown {
  if (value === undefined) return undefined;
  const { stringValue, intValue, doubleValue, boolValue } = value;
  if (stringValue !== undefined) return stringValue;
  if (typeof intValue === "string") return Number(intValue);
  return intValue ?? doubleValue ?? boolValue ?? value;
}
