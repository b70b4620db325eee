type AnyFunction = (...parameters: unknown[]) => unknown;

/**
 * An object that is the given one in everything but a few methods. What is set on it is set on the given one.
 *
 * Methods are called on the given object itself, because private fields are not found through a proxy.
 */
export function overlay<Target extends object>(target: Target, methods: Readonly<Record<string, AnyFunction>>): Target {
  const bound = new WeakMap<AnyFunction, AnyFunction>();

  const bind = (method: AnyFunction): AnyFunction => {
    const known = bound.get(method) ?? method.bind(target);
    bound.set(method, known);
    return known;
  };

  return new Proxy(target, {
    get(_, key) {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      const isMethod = typeof value === "function" && key !== "constructor" && !Object.hasOwn(target, key);
      return isMethod ? bind(value as AnyFunction) : value;
    },
    set: (_, key, value) => Reflect.set(target, key, value, target),
  });
}
