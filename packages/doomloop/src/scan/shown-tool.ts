import { toolHash, toolLabel } from "../core/identity/tool-label.ts";
import { isOfWords } from "./is-of-words.ts";

/** A tool's name as a report shows it: as it is if it is made of words, else a short hash. */
export function shownTool(tool: string): string {
  const label = toolLabel(tool);
  return label !== tool || isOfWords(tool) ? label : toolHash(tool);
}
