import type { Platform } from "./core/identity/canonical.ts";

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
export const platform: Platform = { isProxy: findIsProxy() };

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
