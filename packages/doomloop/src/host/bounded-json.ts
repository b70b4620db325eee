const MAX_TEXT = 262_144;

/** A value as JSON. Undefined for what is no JSON, for bytes, and for what is too long to be read again and again. */
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
