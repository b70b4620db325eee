import { digestOf, digestToHex } from "../../core/identity/digest.ts";
import { toolLabel } from "../../core/identity/tool-label.ts";
import { isOfWords } from "./is-of-words.ts";

const HASH_DIGITS = 12;

/** A tool's name as a report shows it: as it is if it is made of words, else a short hash. */
export function shownTool(tool: string): string {
  const label = toolLabel(tool);
  return label !== tool || isOfWords(tool) ? label : `tool#${digestToHex(digestOf(tool)).slice(0, HASH_DIGITS)}`;
}
