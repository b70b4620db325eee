/** A field of a call, and what became of it since the last time. */
export interface FieldChange {
  readonly name: string;
  readonly type: "same" | "changed" | "added" | "removed";
  /** Empty where there was none. */
  readonly before: string;
  /** Empty where there is none any more. */
  readonly after: string;
}

/**
 * What differs between two calls, field by field, in the order of the later one; what is gone comes last.
 *
 * Undefined where one of the two is no JSON object. Without an earlier call, every field is the same.
 */
export function fieldChanges(before: string | undefined, after: string): readonly FieldChange[] | undefined {
  const now = fieldsOf(after);
  const then = before === undefined ? now : fieldsOf(before);
  if (now === undefined || then === undefined) return undefined;
  const kept = [...now].map(([name, value]): FieldChange => {
    const old = then.get(name);
    const type = old === undefined ? "added" : old === value ? "same" : "changed";
    return { name, type, before: old ?? "", after: value };
  });
  const gone = [...then].filter(([name]) => !now.has(name));
  return [...kept, ...gone.map(([name, value]): FieldChange => ({ name, type: "removed", before: value, after: "" }))];
}

/** Texts as they are, everything else as JSON. */
function fieldsOf(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const fields = Object.entries(JSON.parse(text) as object);
    return new Map(fields.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]));
  } catch {
    return undefined;
  }
}
