import { join } from "node:path";
import { keepHook } from "../../hooks/keep-hook.ts";
import { countNudges } from "./count-nudges.ts";
import { folderRules } from "./folder-file.ts";
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

/** What is left for everything but waiting for others. */
const OWN_MS = 250;

/** Answers one event of a coding agent: the text to print, which is empty as a rule. Never throws. */
export async function runHookProgram({ words, input, state, remainingMs }: HookProgram): Promise<string> {
  try {
    const { host, isUnattended } = readHookWords(words);
    const value = await readInput(input);
    const kept = keepHook(value, {
      directory: join(state, "runs"),
      host,
      isUnattended,
      rulesOf: (folder) => folderRules(state, folder),
      budgetMs: Math.max(0, Math.floor(remainingMs() - OWN_MS)),
      reportFault: () => {},
    });
    if (kept === undefined) return "";
    countQuietly(() => countNudges(state, kept, Date.now()));
    return kept.output === undefined ? "" : JSON.stringify(kept.output);
  } catch {
    return "";
  }
}

/** A count that cannot be written is no reason to keep silent. */
function countQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // The disk is full, or not ours.
  }
}
