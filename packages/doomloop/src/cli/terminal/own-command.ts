import { printable } from "../../system/printable.ts";

const PLAIN_WORD = /^[\w@%+=:,./-]{1,1000}$/;

/** How this program is called again with other words: as it was called, and safe to paste into a shell. */
export function ownCommand(words: readonly string[], env: NodeJS.ProcessEnv): string {
  // What npx ran is not on the path.
  const program = env.npm_command === "exec" ? ["npx", "doomloop"] : ["doomloop"];
  return [...program, ...words.map(quoted)].join(" ");
}

/** A word in single quotes where a shell would take it for more than a word. */
function quoted(word: string): string {
  return printable(PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
}
