import { isObject } from "../../core/identity/read-object.ts";
import { appendToModelOutput, jsonOf, type ModelOutput } from "../../host/append-words.ts";
import type { ToolLike } from "./settings.ts";

type ToModelOutput = (this: unknown, argument: unknown) => ModelOutput | PromiseLike<ModelOutput>;

/**
 * Wraps a tool's `toModelOutput`, and appends the words that belong to a result.
 *
 * The SDK also passes the input of the call, which identifies the call. Anything else is taken for the output.
 */
export function modelOutputWith(tool: ToolLike, words: WeakMap<object, string>): ToModelOutput {
  const own = typeof tool.toModelOutput === "function" ? (tool.toModelOutput as ToModelOutput) : undefined;
  return (argument) => {
    const { input, output } = readArgument(argument);
    const said = wordsFor(argument, words) ?? wordsFor(input, words);
    const plain = own === undefined ? defaultOutput(output) : own.call(tool, argument);
    if (said === undefined) return plain;
    return "then" in plain
      ? Promise.resolve(plain).then((known) => appendToModelOutput(known, said))
      : appendToModelOutput(plain, said);
  };
}

function readArgument(argument: unknown): { input?: unknown; output: unknown } {
  const isCall = isObject(argument) && "toolCallId" in argument && "output" in argument;
  return isCall ? (argument as { input?: unknown; output: unknown }) : { output: argument };
}

function wordsFor(key: unknown, words: WeakMap<object, string>): string | undefined {
  return isObject(key) ? words.get(key) : undefined;
}

/** What the SDK makes of an output by default. */
function defaultOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const json = jsonOf(output);
  return { type: "json", value: json === undefined ? (output ?? null) : JSON.parse(json) };
}

/** A copy of an object whose fields can be overridden. */
interface Overridable<Target extends object> {
  readonly object: Target;
  /** Overrides a field or a method. The original is not changed. */
  override(key: PropertyKey, value: unknown): void;
}

type Method = (...parameters: unknown[]) => unknown;

/**
 * Creates an object with the prototype and the fields of another, so that some of them can be overridden.
 *
 * Getters and methods are called on the original, because private fields of a class can be reached only there.
 */
export function overridable<Target extends object>(target: Target): Overridable<Target> {
  const overrides = new Map<PropertyKey, unknown>();
  const bound = new WeakMap<Method, Method>();
  const copy = configurableCopyOf(target);

  const bind = (method: Method): Method => {
    const known = bound.get(method) ?? method.bind(target);
    bound.set(method, known);
    return known;
  };

  const override = (key: PropertyKey, value: unknown): boolean => {
    overrides.set(key, value);
    // For code that lists or spreads the fields. Fails if the copy was frozen meanwhile.
    return Reflect.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  };

  const object = new Proxy(copy, {
    get(_copy, key) {
      if (overrides.has(key)) return overrides.get(key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && isMethod(target, key) ? bind(value as Method) : value;
    },
    set: (_copy, key, value) => override(key, value),
  });
  return { object, override };
}

/** A proxy must not lie about fields that cannot be configured, so it wraps a copy that has none. */
function configurableCopyOf<Target extends object>(target: Target): Target {
  const fields: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(target);
  for (const key of Reflect.ownKeys(fields)) fields[key as string]!.configurable = true;
  return Object.create(Object.getPrototypeOf(target), fields);
}

/** Whether a function is a method of its class. A function in a field or from a getter may be a value with its own fields, such as a schema. */
function isMethod(target: object, key: PropertyKey): boolean {
  if (key === "constructor" || Object.hasOwn(target, key)) return false;
  for (let at = Object.getPrototypeOf(target); at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return "value" in found;
  }
  return false;
}
