export { rehearse } from "./rehearse.ts";
export { runStatusLine } from "./run-status-line.ts";

import { join } from "node:path";
import type { HookErrand } from "../hook/handle-hook-event.ts";
import { removeExpired } from "../journal/remove-expired.ts";
import { answerEvent } from "./answer-event.ts";
import { readHookWords } from "./read-hook-words.ts";
import { readInput } from "./read-input.ts";

/** What the program is given by whoever starts it. */
export interface HookProgram {
  readonly words: readonly string[];
  readonly input: AsyncIterable<Uint8Array>;
  /** The folder of what hooks keep. */
  readonly state: string;
  /**
   * The agent's environment tells that nobody can be asked.
   * @default false
   */
  readonly isHeadless?: boolean;
  /** Milliseconds until it must have answered. */
  remainingMs(): number;
  /** Told when files are to be kept or put back, which takes longer. */
  takeTime?(): void;
}

/** Clears away what runs have left that ended long ago: at most once an hour, and when the agent has its answer. */
export function tidyUp(state: string): void {
  removeExpired({ directory: join(state, "runs") });
}

/** What is left for everything but waiting for others. */
const OWN_MS = 250;

/** Answers one event of a coding agent: the text to print, which is empty as a rule. Never throws. */
export async function runHookProgram(program: HookProgram): Promise<string> {
  const { words, input, state, isHeadless, remainingMs, takeTime } = program;
  try {
    const value = await readInput(input);
    const budgetMs = Math.max(0, Math.floor(remainingMs() - OWN_MS));
    const { output, errand } = answerEvent(value, { ...readHookWords(words), isHeadless, state, budgetMs });
    if (errand !== undefined) takeTime?.();
    const instead = errand && (await goOnErrand(errand));
    const answer = instead ?? output;
    return answer === undefined ? "" : JSON.stringify(answer);
  } catch {
    return "";
  }
}

/** What handles files is a file of its own, which other events do not wait for. */
async function goOnErrand(errand: HookErrand): Promise<object | undefined> {
  const { runErrand } = await import("./run-follow-up.ts");
  return runErrand(errand);
}
