import type { Stretch } from "../../scan/tune/stretches.ts";
import { ask } from "../terminal/ask.ts";

/** Shows stretches to a person and asks about each, until they have had enough. Returns false where they went away with Ctrl-C. */
export async function askMarks(
  stretches: readonly Stretch[],
  show: (stretch: Stretch) => Promise<void>,
  keep: (stretch: Stretch, isRight: boolean) => void,
): Promise<boolean> {
  for (const [at, stretch] of stretches.entries()) {
    await show(stretch);
    const place = `${at + 1} of ${stretches.length}`;
    const answer = await ask(`${place}: was the guard right? [y]es, [n]o, [s]kip, [q]uit: `);
    if (answer === undefined) return false;
    const letter = answer[0]?.toLowerCase();
    if (letter === "q") return true;
    if (letter === "y" || letter === "n") keep(stretch, letter === "y");
  }
  return true;
}
