const NOTHING: Readonly<Record<string, unknown>> = {};

/** The arguments as an object with fields; without any if they are none. */
export function fieldsOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === "object" && args !== null ? (args as Readonly<Record<string, unknown>>) : NOTHING;
}

/** A text among the fields of an arguments object, read without running a getter. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  return typeof value === "string" ? value : undefined;
}

/** The first text among several fields. */
export function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textField(fields, name);
    if (text !== undefined) return text;
  }
  return undefined;
}
