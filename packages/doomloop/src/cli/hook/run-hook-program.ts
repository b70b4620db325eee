export { rehearse } from "./rehearse.ts";

import { join } from "node:path";
import { removeExpired } from "../../hooks/journal/remove-expired.ts";
import { answerEvent } from "./answer-event.ts";
import { readHookWords } from "./read-hook-words.ts";
import { readInput } from "./read-input.ts";

/** What the program is given by whoever starts it. */
export interface HookProgram {
  readonly words: readonly string[];
  readonly input: AsyncIterable<Uint8Array>;
  /** The folder of what hooks keep. */
  readonly state: string;
  /** Milliseconds until it must have answered. */
  remainingMs(): number;
}

/** Clears away what runs have left that ended long ago: at most once an hour, and when the agent has its answer. */
export function tidyUp(state: string): void {
  removeExpired({ directory: join(state, "runs") });
}

/** What is left for everything but waiting for others. */
const OWN_MS = 250;

/** Answers one event of a coding agent: the text to print, which is empty as a rule. Never throws. */
export async function runHookProgram({ words, input, state, remainingMs }: HookProgram): Promise<string> {
  try {
    const value = await readInput(input);
    const budgetMs = Math.max(0, Math.floor(remainingMs() - OWN_MS));
    const output = answerEvent(value, { ...readHookWords(words), state, budgetMs });
    return output === undefined ? "" : JSON.stringify(output);
  } catch {
    return "";
  }
}
