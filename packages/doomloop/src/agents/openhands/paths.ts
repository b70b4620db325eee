import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** One folder a run, with one file an event. The command line, the server and what came before them have variables of their own. */
export function openhandsPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const usual = joinPath(environment, home, ".openhands");
  const folder = env.OPENHANDS_PERSISTENCE_DIR || env.OH_PERSISTENCE_DIR || env.FILE_STORE_PATH || usual;
  const conversations = env.OPENHANDS_CONVERSATIONS_DIR || joinPath(environment, folder, "conversations");
  return [joinPath(environment, folder, "sessions"), conversations];
}
