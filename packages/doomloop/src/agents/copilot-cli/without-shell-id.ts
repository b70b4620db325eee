const SHELL_ID = "\n<shellId: ";
const MAX_TAIL = 80;

/** The last line of a shell's output counts the shells, so it is another each time. */
export function withoutShellId(output: unknown): unknown {
  if (typeof output !== "string") return output;
  const at = output.indexOf(SHELL_ID, Math.max(0, output.length - MAX_TAIL));
  return at < 0 ? output : output.slice(0, at);
}
