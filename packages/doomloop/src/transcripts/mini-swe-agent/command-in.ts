const FENCES = ["```mswea_bash_command\n", "```bash\n"];

/** The command in an answer's words: what stands in the first code block that is marked as one. */
export function commandIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  for (const fence of FENCES) {
    const at = text.indexOf(fence);
    if (at < 0) continue;
    const from = at + fence.length;
    const to = text.indexOf("\n```", from);
    return (to < 0 ? text.slice(from) : text.slice(from, to)).trim();
  }
  return undefined;
}
