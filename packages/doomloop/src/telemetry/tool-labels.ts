import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";
import { OTHER } from "./attributes.ts";

export interface ToolLabelOptions {
  /**
   * The tools that are counted by name; all others are `other`.
   * @default the first `maxTools` that come
   */
  readonly tools?: readonly string[];
  /**
   * How many tools are counted by name, where `tools` does not say which.
   * @default 32
   */
  readonly maxTools?: number;
}

/** Names that may become an attribute's value. Others are foreign text: they could hold anything, a secret included. */
const IDENTIFIER = /^[A-Za-z][\w.-]{0,63}$/;
const MAX_TOOLS = 1000;
/** More than one tool goes round in the loop. */
const SEVERAL = "several";

/** Turns the tools of a finding into one value out of a bounded set; undefined for a finding without tools. */
export function createToolLabels(options: ToolLabelOptions = {}): (tools: unknown) => string | undefined {
  const { tools, maxTools = 32 } = options;
  requireInteger("telemetry: maxTools", maxTools, 0, MAX_TOOLS);
  if (tools !== undefined) requireNames(tools);
  const named = new Set<unknown>(tools);

  const labelOf = (tool: unknown): string => {
    if (named.has(tool)) return tool as string;
    const hasRoom = tools === undefined && named.size < maxTools;
    if (!hasRoom || typeof tool !== "string" || !IDENTIFIER.test(tool)) return OTHER;
    named.add(tool);
    return tool;
  };

  return (found) => {
    if (!Array.isArray(found) || found.length === 0) return undefined;
    return found.some((tool) => tool !== found[0]) ? SEVERAL : labelOf(found[0]);
  };
}

function requireNames(tools: readonly string[]): void {
  const isList = Array.isArray(tools) && tools.length <= MAX_TOOLS;
  if (isList && tools.every((tool) => typeof tool === "string" && IDENTIFIER.test(tool))) return;
  throw new DoomloopError(
    "invalid-option",
    `telemetry: tools: at most ${MAX_TOOLS} names are required, each an identifier of at most 64 characters, got others`,
  );
}
