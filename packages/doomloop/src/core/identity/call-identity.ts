import { MAX_TEXT } from "./canonical.ts";
import { digestOf, digestToHex } from "./digest.ts";
import { MAX_PARTS } from "./read-object.ts";

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
  if ((first !== "{" && first !== "[") || LONG_NUMBER.test(args) || hasManyParts(args)) return args;
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}

/** Whether a parser would take long: it does for many values in one another, which are not compared anyway. */
function hasManyParts(text: string): boolean {
  if (text.length < MAX_PARTS) return false;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x5b || unit === 0x7b) parts++;
  }
  return parts > MAX_PARTS;
}

const MAX_TOOL_NAME = 1024;
const TOOL_NAME = /^[A-Za-z_][\w.:/-]{0,63}$/;
const HASH_DIGITS = 12;

/**
 * The name under which a tool is remembered and reported: its own if that looks like an identifier, else a short hash. So
 * what is kept and shown has a bounded length and holds no foreign text.
 */
export function toolLabel(tool: string): string {
  // Joined anew: a name that was cut out of a long text would keep all of that in memory.
  return TOOL_NAME.test(tool) ? Array.from(tool).join("") : toolHash(tool);
}

/** Stands for a tool's name that is not shown: a short hash that people can read out. */
export function toolHash(tool: string): string {
  // A name of a megabyte is a mistake, and need not be told from others like it.
  const read = tool.length <= MAX_TOOL_NAME ? tool : `${tool.slice(0, MAX_TOOL_NAME)}${tool.length}`;
  return `tool#${digestToHex(digestOf(read)).slice(0, HASH_DIGITS)}`;
}
