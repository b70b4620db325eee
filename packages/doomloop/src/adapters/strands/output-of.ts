import type { ToolResult } from "./strands-package.ts";

/** A result as plain data, because objects of a class equal nothing to a guard: a single piece stands for itself. */
export function outputOf({ content }: ToolResult): unknown {
  const pieces = content.map(plain);
  return pieces.length === 1 ? pieces[0] : pieces;
}

function plain(block: { type: string; text?: unknown; json?: unknown; toJSON?: () => unknown }): unknown {
  if (block.type === "textBlock") return block.text;
  if (block.type === "jsonBlock") return block.json;
  return block.toJSON?.() ?? block;
}
