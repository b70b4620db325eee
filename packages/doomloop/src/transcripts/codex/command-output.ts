import { exitError } from "../exit-error.ts";
import { recordOf } from "../foreign-value.ts";

export interface CommandOutput {
  readonly output: unknown;
  readonly error: boolean | undefined;
}

const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d{1,9})$/m;
/** Longer than any head that Codex writes. */
const MAX_HEAD = 300;
const OUTPUT = "\nOutput:\n";

/**
 * What a command printed, without the head that Codex puts before it: a chunk's id and the time it took differ each time.
 *
 * Older versions wrote JSON text with the output and the exit code. What looks otherwise is left as it is.
 */
export function commandOutput(told: unknown): CommandOutput {
  if (typeof told !== "string") return fromRecord(told) ?? { output: told, error: undefined };
  if (told.startsWith('{"output":')) return fromRecord(parse(told)) ?? { output: told, error: undefined };
  const head = told.slice(0, MAX_HEAD);
  const at = head.indexOf(OUTPUT);
  const code = at < 0 ? undefined : EXIT_CODE.exec(head.slice(0, at))?.[1];
  if (code === undefined) return { output: told, error: undefined };
  const output = told.slice(at + OUTPUT.length);
  return { output, error: exitError(Number(code), output) };
}

function fromRecord(value: unknown): CommandOutput | undefined {
  const record = recordOf(value);
  if (record === undefined) return undefined;
  const output = record.output ?? record.content;
  const error = exitError(recordOf(record.metadata)?.exit_code, output);
  return { output, error: error ?? (record.success === false ? true : undefined) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
