import type { Platform } from "./core/identity/read-object.ts";

interface UtilModule {
  readonly types: { isProxy(value: unknown): boolean };
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * Answers what plain JavaScript cannot, with the help of the runtime.
 *
 * Node, Bun, Deno and Cloudflare know what a proxy is. Elsewhere, a proxy passes for what it imitates.
 */
export const platform: Platform = { isProxy: findIsProxy(), readOwnClass };

function findIsProxy(): (value: object) => boolean {
  try {
    const { process } = globalThis as { process?: ProcessLike };
    const util = process?.getBuiltinModule?.("node:util") as UtilModule | undefined;
    if (util !== undefined) return util.types.isProxy;
  } catch {
    // This runtime has no such module.
  }
  return () => false;
}

/** Reads standard classes whose fields are private. Each throws for an object of another class. */
function readOwnClass(value: object): string | undefined {
  const { URL, URLSearchParams, Headers } = globalThis;
  if (typeof URL === "function" && value instanceof URL) return value.href;
  if (typeof URLSearchParams === "function" && value instanceof URLSearchParams) return String(value);
  if (typeof Headers === "function" && value instanceof Headers) return JSON.stringify([...value]);
  return value instanceof RegExp ? String(value) : undefined;
}
