import { setRecent } from "../collections/bounded.ts";
import { digestOf, digestToHex } from "./digest.ts";

const NAME = /^[A-Za-z_][\w.:/-]{0,63}$/;
const HASH_DIGITS = 12;
const MAX_KNOWN = 256;
const MAX_KEY = 1024;

/** Labels depend on the name alone; a host's tools are few. */
const labels = new Map<string, string>();

/**
 * The name by which a tool is remembered and reported: its own if that looks like one, else a short hash of it. What
 * is kept and shown so holds no foreign text, and has a bounded length.
 */
export function toolLabel(tool: string): string {
  if (tool.length <= 64 && NAME.test(tool)) return tool;
  const known = labels.get(tool);
  if (known !== undefined) return known;
  const label = toolHash(tool);
  if (tool.length <= MAX_KEY) setRecent(labels, tool, label, MAX_KNOWN);
  return label;
}

/** What stands for a tool's name that is not shown: a short hash that people can read out. */
export function toolHash(tool: string): string {
  return `tool#${digestToHex(digestOf(tool)).slice(0, HASH_DIGITS)}`;
}
