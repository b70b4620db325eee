export { rehearse } from "./rehearse.ts";

import { join } from "node:path";
import type { HookEnvironment } from "../hook/dialect.ts";
import { folderRules } from "../hook/folder-rules.ts";
import { answerEvent, type HookFollowUp } from "../hook/handle-hook-event.ts";
import { statusLine } from "../hook/status-line.ts";
import { HOOKED_AGENTS } from "../index.ts";
import { removeExpired } from "../journal/remove-expired.ts";
import { readInput } from "./read-input.ts";

/** What starts the program hands over. */
export interface HookProgram {
  readonly words: readonly string[];
  readonly input: AsyncIterable<Uint8Array>;
  /** The folder of what hooks keep. */
  readonly state: string;
  /**
   * The environment in which the agent started the hook.
   * @default empty
   */
  readonly env?: HookEnvironment;
  /**
   * Nobody can be asked.
   * @default as the environment says
   */
  readonly isHeadless?: boolean;
  /** Milliseconds until the program must have answered. */
  remainingMs(): number;
  /** Called before files are saved or put back, which takes longer. */
  takeTime?(): void;
}

/** Milliseconds that are left for everything but waiting for other hooks. */
const OWN_MS = 250;

/** Answers one event of a coding agent. Returns the text to print, which is usually empty. Never throws. */
export async function runHookProgram(program: HookProgram): Promise<string> {
  const { words, input, state, env, isHeadless, remainingMs, takeTime } = program;
  try {
    const value = await readInput(input);
    const budgetMs = Math.max(0, Math.floor(remainingMs() - OWN_MS));
    const { output, followUp } = answerEvent(value, { ...readHookWords(words), env, isHeadless, state, budgetMs });
    if (followUp !== undefined) takeTime?.();
    const instead = followUp && (await carryOut(followUp));
    const answer = instead ?? output;
    return answer === undefined ? "" : JSON.stringify(answer);
  } catch {
    return "";
  }
}

/** The code that handles files is a separate file, so that other events need not load it. */
async function carryOut(followUp: HookFollowUp): Promise<object | undefined> {
  const { runFollowUp } = await import("./run-follow-up.ts");
  return runFollowUp(followUp);
}

/** Answers an agent that asks for its status line. Returns the text to print. Never throws. */
export async function runStatusLine({ words, input, state }: Omit<HookProgram, "remainingMs">): Promise<string> {
  try {
    const value = await readInput(input);
    const { host } = readHookWords(words);
    const rulesOf = (folder: string | undefined) => folderRules(state, folder);
    return statusLine(value, { host, directory: join(state, "runs"), rulesOf });
  } catch {
    return "";
  }
}

/** Removes what runs left that ended long ago, at most once an hour. Call it when the agent has its answer. */
export function tidyUp(state: string): void {
  removeExpired({ directory: join(state, "runs") });
}

interface HookWords {
  readonly host: string | undefined;
  readonly isUnattended: boolean;
  readonly startsOver: boolean;
}

/** Reads the hook's arguments. Mistakes in them are ignored, because a hook must never make an agent fail. */
function readHookWords(words: readonly string[]): HookWords {
  const at = words.indexOf("--host");
  const named = at < 0 ? undefined : words[at + 1];
  return {
    host: HOOKED_AGENTS.find(({ name }) => name === named)?.name,
    isUnattended: words.includes("--unattended"),
    startsOver: words.includes("--start-over"),
  };
}
