import { byteWriter } from "./byte-writer.ts";
import { type Platform, writeCanonical } from "./canonical.ts";
import type { Digest } from "./digest.ts";

const MAX_TOOL_NAME = 1024;

/**
 * The exact identity of a call: tool and canonical arguments. Undefined if the arguments cannot be compared.
 *
 * Afterwards the byte writer still holds the canonical bytes, with a mark at each field.
 */
export function callDigest(tool: string, args: unknown, platform: Platform): Digest | undefined {
  if (tool.length > MAX_TOOL_NAME) return undefined;
  byteWriter.begin();
  byteWriter.text(tool);
  if (typeof args === "object" && args !== null && platform.isProxy(args)) return undefined;
  const hasFields = typeof args === "object" && args !== null && !Array.isArray(args);
  byteWriter.byte(hasFields ? 1 : 0);
  return writeCanonical(hasFields ? args : { value: args }, platform) ? byteWriter.digest() : undefined;
}
