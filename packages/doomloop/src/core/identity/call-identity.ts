import { type Canonical, canonicalOf, MAX_TEXT } from "./canonical.ts";
import { type Digest, digestOf, digestToHex } from "./digest.ts";
import type { Platform } from "./platform.ts";

/** What is kept of a call's arguments until their words are needed. It is never saved. */
export type ArgumentText = Canonical;

interface CallIdentity {
  /** Tool and arguments, exactly. */
  readonly digest: Digest;
  readonly args: ArgumentText;
}

const MAX_TOOL_NAME = 1024;
/** Characters that are kept of the arguments. */
const KEPT = 512;

/** The exact identity of a call. Undefined if the arguments cannot be compared. */
export function callIdentity(tool: string, args: unknown, platform: Platform): CallIdentity | undefined {
  if (tool.length > MAX_TOOL_NAME || typeof args === "function") return undefined;
  const hasFields = typeof args === "object" && args !== null && (platform.isProxy(args) || !Array.isArray(args));
  const written = canonicalOf(hasFields ? args : { value: args }, platform, tool);
  if (written === undefined) return undefined;
  return { digest: digestOf(hasFields ? written.text : `${written.text}!`), args: beginningOf(written) };
}

/** The beginning of the arguments. Joining copies it; a slice alone would keep the whole text in memory. */
function beginningOf(written: Canonical): ArgumentText {
  const { text, fields } = written;
  const start = fields[0] ?? written.end;
  const end = Math.min(written.end, start + KEPT);
  if (text.length <= 2 * KEPT) return { text, end, fields };
  return {
    text: [text.slice(0, start), text.slice(start, end)].join(""),
    end,
    fields: fields.filter((at) => at < end),
  };
}

/** Sixteen digits in a row: JavaScript numbers of this size are not exact. */
const LONG_NUMBER = /\d{16}/;

/**
 * The arguments as a value, because some hosts pass them as JSON text.
 *
 * Text that is not JSON stays text. So does JSON with an integer that would not survive parsing: two different 64-bit ids
 * must never become equal.
 */
export function readArguments(args: unknown): unknown {
  if (typeof args !== "string" || args.length > MAX_TEXT) return args;
  const first = args.trimStart()[0];
  if ((first !== "{" && first !== "[") || LONG_NUMBER.test(args)) return args;
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}

const TOOL_NAME = /^[A-Za-z_][\w.:/-]{0,63}$/;
const HASH_DIGITS = 12;

/**
 * The name under which a tool is remembered and reported: its own if that looks like an identifier, else a short hash. So
 * what is kept and shown has a bounded length and holds no foreign text.
 */
export function toolLabel(tool: string): string {
  return TOOL_NAME.test(tool) ? tool : toolHash(tool);
}

/** Stands for a tool's name that is not shown: a short hash that people can read out. */
export function toolHash(tool: string): string {
  return `tool#${digestToHex(digestOf(tool)).slice(0, HASH_DIGITS)}`;
}
