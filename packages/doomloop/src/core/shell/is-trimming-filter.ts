import type { CommandNode } from "unbash";
import { TRIMMING_FILTERS } from "./programs.ts";

const TRIMMING_ARGUMENT = /^(?:[-+]?\d{1,9}|-[nc]\d{1,9}|-n|-c|--lines=\d{1,9}|-[A-EG-Z])$/;

/** Does a command at the end of a pipe only shorten what is shown, as `tail -20` does? */
export function isTrimmingFilter(node: CommandNode): boolean {
  if (node.type !== "Command" || node.prefix.length > 0 || node.name === undefined) return false;
  if (!TRIMMING_FILTERS.has(node.name.text)) return false;
  return node.suffix.every((item) => item.type === "Word" && TRIMMING_ARGUMENT.test(item.text));
}
