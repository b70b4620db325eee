import { runHookProgram } from "../hook/run-hook-program.ts";
import { currentSetting } from "../wiring/setting.ts";
import type { CommandStreams } from "./replay.ts";

/** Answers one event of a coding agent, as the program of that name does. Returns the exit code, which is always that of success. */
export async function hook(words: readonly string[], { input, output }: CommandStreams): Promise<number> {
  const start = performance.now();
  const { state } = currentSetting();
  const answer = await runHookProgram({ words, input, state, elapsedMs: () => performance.now() - start });
  if (answer !== "") await output.write(`${answer}\n`);
  return 0;
}
