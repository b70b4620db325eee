import { printable } from "../../system/printable.ts";

const PLAIN_WORD = /^[\w@%+=:,./-]{1,1000}$/;

/** The command line to run this program again, in the way it was started, safe to paste into a shell. */
export function ownCommand(words: readonly string[], env: NodeJS.ProcessEnv): string {
  // With npx, the program is not on the path.
  const program = env.npm_command === "exec" ? ["npx", "doomloop"] : ["doomloop"];
  return [...program, ...words.map(quoted)].join(" ");
}

/** Quotes a word if a shell would interpret it. */
function quoted(word: string): string {
  return printable(PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
}
