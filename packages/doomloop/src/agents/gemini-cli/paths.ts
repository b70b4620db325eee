import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** One folder a project below this one, each with `chats/`. `GEMINI_CLI_HOME` stands for the home folder. */
export function geminiCliPaths(environment: TranscriptEnvironment): readonly string[] {
  const home = environment.env.GEMINI_CLI_HOME || environment.home;
  return [joinPath(environment, home, ".gemini", "tmp")];
}
