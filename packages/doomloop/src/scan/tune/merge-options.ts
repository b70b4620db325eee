/** Options with others over them: objects are merged, all else is replaced. A tool may bear any name, `__proto__` too. */
export function mergeOptions<Options extends object>(options: Options, over: object): Options {
  const before = new Map(Object.entries(options));
  const merged = Object.entries(over).map(([key, value]) => {
    const own = before.get(key);
    return [key, isFields(own) && isFields(value) ? mergeOptions(own, value) : value];
  });
  return Object.fromEntries([...before, ...merged]) as Options;
}

function isFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
