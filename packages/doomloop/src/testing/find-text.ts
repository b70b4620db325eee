const MAX_VALUES = 1_000_000;

/** Whether a text occurs anywhere in a value: in strings, lists, objects. Cycles are no trouble, getters are not called. */
export function findText(value: unknown, text: string): boolean {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && seen.size < MAX_VALUES) {
    const next = waiting.pop();
    if (typeof next === "string" && next.includes(text)) return true;
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(next))) waiting.push(descriptor.value);
  }
  return false;
}
