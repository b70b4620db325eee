import type { Platform } from "./core/identity/platform.ts";

interface UtilModule {
  readonly types: { isProxy(value: unknown): boolean };
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

/**
 * What plain JavaScript cannot tell, from the runtime where it can.
 *
 * Node, Bun, Deno and Cloudflare answer; elsewhere a proxy is taken for what it pretends to be.
 */
export const platform: Platform = { isProxy: findIsProxy(), readOwnClass };

function findIsProxy(): (value: object) => boolean {
  try {
    const { process } = globalThis as { process?: ProcessLike };
    const util = process?.getBuiltinModule?.("node:util") as UtilModule | undefined;
    if (util !== undefined) return util.types.isProxy;
  } catch {
    // A runtime without it.
  }
  return () => false;
}

/** The classes of the web's standards whose fields are private. Each refuses to read what is not its own. */
function readOwnClass(value: object): string | undefined {
  const { URL, URLSearchParams, Headers } = globalThis;
  if (typeof URL === "function" && value instanceof URL) return value.href;
  if (typeof URLSearchParams === "function" && value instanceof URLSearchParams) return String(value);
  if (typeof Headers === "function" && value instanceof Headers) return JSON.stringify([...value]);
  return value instanceof RegExp ? String(value) : undefined;
}
