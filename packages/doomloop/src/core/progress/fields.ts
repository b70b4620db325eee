/** A call's arguments, by name. */
export type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

/** The arguments as an object with fields; without any if they are none. */
export function fieldsOf(args: unknown): Fields {
  return typeof args === "object" && args !== null ? (args as Fields) : NOTHING;
}

/** A text among the fields of an arguments object, read without running a getter. */
export function textField(fields: Fields, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  return typeof value === "string" ? value : undefined;
}

/** The first text among several fields. */
export function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textField(fields, name);
    if (text !== undefined) return text;
  }
  return undefined;
}
