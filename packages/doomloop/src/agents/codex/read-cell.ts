import { recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { literalAt } from "./literal.ts";

/** A call as it was meant. */
export interface CellCall {
  readonly tool: string;
  readonly args: unknown;
}

const NESTED = /\btools\.(\w{1,80})\(/g;
const MAX_CODE = 262_144;
const MAX_NESTED = 64;
const COMMAND = "exec_command";

/**
 * What a cell is about: newer versions of Codex have the model write JavaScript (`exec`) that calls the tools.
 *
 * A cell with one call in it, whose arguments stand there as they are, is that call. Several commands are one script, because the cell has one
 * outcome. Any other cell is its code.
 */
export function readCell(code: unknown): CellCall {
  const asWhole = { tool: "exec", args: { code } };
  if (typeof code !== "string" || code.length > MAX_CODE) return asWhole;
  const calls: CellCall[] = [];
  for (const found of code.matchAll(NESTED)) {
    const literal = literalAt(code, found.index + found[0].length);
    if (literal === undefined || calls.length >= MAX_NESTED) return asWhole;
    calls.push({ tool: found[1]!, args: literal.value });
  }
  if (calls.length === 1) return calls[0]!;
  const commands = calls.map(({ tool, args }) => (tool === COMMAND ? textOf(recordOf(args)?.cmd) : undefined));
  if (commands.length === 0 || commands.includes(undefined)) return asWhole;
  return { tool: COMMAND, args: { cmd: commands.join("\n") } };
}
