/** An object in another's place. */
export interface StandIn<Target extends object> {
  readonly object: Target;
  /** Puts something in place of a field or a method. The target is left alone. */
  replace(key: PropertyKey, value: unknown): void;
}

type Method = (...words: unknown[]) => unknown;

/**
 * Stands in for an object, with its prototype and its fields, so that some of them can be replaced.
 *
 * Getters and methods are called on the object itself, because private fields of a class are found on nothing else.
 */
export function standInFor<Target extends object>(target: Target): StandIn<Target> {
  const replaced = new Map<PropertyKey, unknown>();
  const bound = new WeakMap<Method, Method>();
  const copy = looseCopyOf(target);

  const bind = (method: Method): Method => {
    const known = bound.get(method) ?? method.bind(target);
    bound.set(method, known);
    return known;
  };

  const replace = (key: PropertyKey, value: unknown): boolean => {
    replaced.set(key, value);
    // For whoever lists or spreads the fields. One that was frozen meanwhile takes no more.
    return Reflect.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  };

  const object = new Proxy(copy, {
    get(_copy, key) {
      if (replaced.has(key)) return replaced.get(key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && isMethod(target, key) ? bind(value as Method) : value;
    },
    set: (_copy, key, value) => replace(key, value),
  });
  return { object, replace };
}

/** A proxy must tell the truth about fixed fields: it stands before a copy that has none. */
function looseCopyOf<Target extends object>(target: Target): Target {
  const fields: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(target);
  for (const key of Reflect.ownKeys(fields)) fields[key as string]!.configurable = true;
  return Object.create(Object.getPrototypeOf(target), fields);
}

/** Whether a function is its class's method. One in a field, or from a getter, may be a value such as a schema, with fields of its own. */
function isMethod(target: object, key: PropertyKey): boolean {
  if (key === "constructor" || Object.hasOwn(target, key)) return false;
  for (let at = Object.getPrototypeOf(target); at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return "value" in found;
  }
  return false;
}
