import { createInterface } from "node:readline/promises";
import type { LoopSummary } from "../scan/report.ts";
import { count } from "../terminal/count.ts";
import { printable } from "../terminal/printable.ts";
import type { Mark } from "./marks.ts";

const MAX_TEXT = 200;

/** Asks a person about findings, one by one, until there are no more or there is no answer. Returns the new marks. */
export async function askMarks(loops: readonly LoopSummary[]): Promise<readonly Mark[]> {
  const marks: Mark[] = [];
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (const loop of loops) {
      const what = `${printable(loop.kind)}  ${printable(loop.what.slice(0, MAX_TEXT))}, ${count(loop.count, "time")}`;
      const place = `doomloop show ${loop.session} shows it, calls ${loop.onset} to ${loop.end}`;
      const answer = await terminal.question(`\n${what}\n${place}\nA loop? [y]es, [n]o, [s]kip, [q]uit: `);
      const letter = answer.trim().toLowerCase()[0];
      if (letter === "q") break;
      if (letter === "y" || letter === "n") marks.push(markOf(loop, letter === "y"));
    }
  } catch {
    // Ctrl-C and the end of the input end the questions; what was answered is kept.
  } finally {
    terminal.close();
  }
  return marks;
}

export function markOf({ id, session, kind, onset, end }: LoopSummary, isRight: boolean): Mark {
  return { id, session, kind, onset, end, isRight };
}
