import { createInterface } from "node:readline/promises";

/** Asks a person for a line. Undefined for Ctrl-C and the end of the input. */
export async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } catch {
    // The cursor is still on the line of the question.
    process.stderr.write("\n");
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Asks a yes-or-no question. Anything but `y` means no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)) ?? "");
}
