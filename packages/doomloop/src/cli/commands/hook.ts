import { runHookProgram } from "../../agents/hook-program/run-hook-program.ts";
import { currentSetting } from "../../agents/settings/agent-place.ts";
import type { CommandStreams } from "../terminal/output.ts";

/** As long as the program itself takes at most. */
const LONGEST_MS = 1000;

/** Answers one event of a coding agent, as the program of that name does. Returns the exit code, which is always that of success. */
export async function hook(words: readonly string[], { input, output }: CommandStreams): Promise<number> {
  const end = performance.now() + LONGEST_MS;
  const { state } = currentSetting();
  const answer = await runHookProgram({
    words,
    input,
    state,
    env: process.env,
    remainingMs: () => end - performance.now(),
  });
  if (answer !== "") await output.write(`${answer}\n`);
  return 0;
}
