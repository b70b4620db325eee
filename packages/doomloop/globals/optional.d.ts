/**
 * The library is compiled without the types of Node and of browsers: a runtime may have the language and nothing else. It asks for these
 * before it uses them.
 */
interface TextEncoder {
  encodeInto(text: string, target: Uint8Array): { written: number };
}

type WebClass<Instance = object> = (new () => Instance) | undefined;

declare var TextEncoder: WebClass<TextEncoder>;
declare var URL: WebClass<{ readonly href: string }>;
declare var URLSearchParams: WebClass;
declare var Headers: WebClass<Iterable<unknown>>;
