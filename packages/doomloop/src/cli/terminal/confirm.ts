import { createInterface } from "node:readline/promises";

/** Asks a person a question that only a `y` says yes to. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    // Ctrl-C and the end of the input are no, and leave the cursor behind the question.
    process.stderr.write("\n");
    return false;
  } finally {
    terminal.close();
  }
}
