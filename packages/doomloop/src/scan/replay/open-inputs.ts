import { readFault } from "../../system/read-fault.ts";
import { UsageError } from "../../system/usage-error.ts";
import { requireRegularFile } from "../../transcripts/open-regular-file.ts";
import { decompressed, openTrace } from "../../transcripts/trace/open-trace.ts";

/** Something to read traces from. */
export interface Input {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

const STANDARD_INPUT = "-";

/** The inputs that a command line names: files, `-` or nothing for standard input. Throws before any of them is read. */
export function openInputs(names: readonly string[], standardInput: AsyncIterable<Uint8Array>): readonly Input[] {
  const wanted = names.length === 0 ? [STANDARD_INPUT] : names;
  if (wanted.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new UsageError("standard input (-) can be read only once");
  }
  return wanted.map((name) => {
    if (name === STANDARD_INPUT) return { name: "standard input", open: () => decompressed(standardInput) };
    requireFile(name);
    return { name, open: () => openTrace(name) };
  });
}

function requireFile(path: string): void {
  try {
    requireRegularFile(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
}
