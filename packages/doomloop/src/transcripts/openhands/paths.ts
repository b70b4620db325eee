import { joinPath } from "../join-path.ts";
import type { TranscriptEnvironment } from "../reader.ts";

/** One folder a run, with one file an event. */
export function openhandsPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.OH_PERSISTENCE_DIR || env.FILE_STORE_PATH || joinPath(environment, home, ".openhands");
  return ["sessions", "conversations"].map((name) => joinPath(environment, folder, name));
}
