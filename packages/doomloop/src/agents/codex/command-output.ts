import { jsonIn, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { exitError } from "../../transcripts/shell-report.ts";

export interface CommandOutput {
  readonly output: unknown;
  readonly error: boolean | undefined;
}

const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d{1,9})$/m;
/** Longer than any head that Codex writes. */
const MAX_HEAD = 300;
const OUTPUT = "\nOutput:\n";
/** The head before a cell's output. A running cell has a number. */
const CELL =
  /^Script (completed|failed|running with cell ID \S{1,80})\n(?:Wall time [\d.]{1,20} seconds\n)?Output:(?:\n|$)/;

/**
 * The output of a command without the head that Codex adds, because the chunk's id and the time in it differ each time.
 *
 * Older versions wrote JSON with the output and the exit code. Any other text stays as it is.
 */
export function commandOutput(told: unknown): CommandOutput {
  if (Array.isArray(told)) return cellOutput(told);
  const cell = typeof told === "string" ? CELL.exec(told) : null;
  if (cell !== null) return cellResult(cell, (told as string).slice(cell[0].length));
  if (typeof told !== "string") return fromRecord(told) ?? { output: told, error: undefined };
  if (told.startsWith('{"output":')) return fromRecord(jsonIn(told)) ?? { output: told, error: undefined };
  const head = told.slice(0, MAX_HEAD);
  const at = head.indexOf(OUTPUT);
  const code = at < 0 ? undefined : EXIT_CODE.exec(head.slice(0, at))?.[1];
  if (code === undefined) return { output: told, error: undefined };
  const output = told.slice(at + OUTPUT.length);
  return { output, error: exitError(Number(code), output) };
}

/** A cell's output in blocks, of which the head is the first. */
function cellOutput(blocks: readonly unknown[]): CommandOutput {
  const first = textOf(recordOf(blocks[0])?.text) ?? "";
  const cell = CELL.exec(first);
  if (cell === null) return { output: blocks, error: undefined };
  const { output, error } = cellResult(cell, first.slice(cell[0].length));
  const rest = blocks.slice(1);
  return { output: output === "" ? rest : [{ type: "text", text: output }, ...rest], error };
}

/** A completed cell may contain commands that failed. */
function cellResult([, state = ""]: RegExpExecArray, printed: string): CommandOutput {
  if (state === "completed") return { output: printed, error: undefined };
  if (state === "failed") return { output: printed, error: true };
  return { output: printed === "" ? "Script running" : `Script running\n${printed}`, error: undefined };
}

function fromRecord(value: unknown): CommandOutput | undefined {
  const record = recordOf(value);
  if (record === undefined) return undefined;
  const output = record.output ?? record.content;
  const error = exitError(recordOf(record.metadata)?.exit_code, output);
  return { output, error: error ?? (record.success === false ? true : undefined) };
}
