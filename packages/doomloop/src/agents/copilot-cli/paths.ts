import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** One folder a run, with `events.jsonl` in it; older versions wrote files of their own below `history-session-state`. */
export function copilotCliPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.COPILOT_HOME || joinPath(environment, env.XDG_STATE_HOME || home, ".copilot");
  return ["session-state", "history-session-state"].map((name) => joinPath(environment, folder, name));
}
