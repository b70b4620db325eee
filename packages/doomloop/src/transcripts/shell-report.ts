const EXIT_CODE = /^Exit Code: (-?\d{1,9})$/m;
const PROCESS_GROUP = "\nProcess Group PGID:";
const BEGIN = "<untrusted_context>\n";
const NOTHING = "Output: (empty)";
/** Lines that say nothing. Their names may be taken for what the command said. */
const NONE = /\n(?:Error|Signal|Background PIDs): \(none\)(?=\n|$)/g;
/** More than the length of the lines that follow an output. */
const MAX_TAIL = 400;

/**
 * The output of a command, from the report that several agents give to the model.
 *
 * The process group differs each time, so what follows the exit code is left out. Any other text stays as it is.
 */
export function shellReport(told: unknown): { readonly output: unknown; readonly error: boolean | undefined } {
  if (typeof told !== "string") return { output: told, error: undefined };
  const tailStart = Math.max(0, told.length - MAX_TAIL);
  const end = told.indexOf(PROCESS_GROUP, tailStart);
  if (end < 0) return { output: told, error: undefined };
  const output = told.slice(told.startsWith(BEGIN) ? BEGIN.length : 0, end).replace(NONE, "");
  const code = EXIT_CODE.exec(told.slice(tailStart, end))?.[1];
  // A report without a code means 0.
  const printed = output.startsWith(NOTHING) || output.includes(`\n${NOTHING}`) ? "" : output;
  return { output, error: exitError(code === undefined ? 0 : Number(code), printed) };
}

/**
 * Whether an exit code means a failure.
 *
 * Searches and comparisons exit with 1 and print nothing if they find nothing. That is neither failure nor success.
 */
export function exitError(code: unknown, output: unknown): boolean | undefined {
  if (typeof code !== "number") return undefined;
  if (code === 0) return false;
  const isSilent = typeof output !== "string" || (output.length < 64 && output.trim() === "");
  return code === 1 && isSilent ? undefined : true;
}
