import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** Rollouts lie by date, archived ones in one folder. */
export function codexPaths(environment: TranscriptEnvironment): readonly string[] {
  const folder = environment.env.CODEX_HOME || joinPath(environment, environment.home, ".codex");
  return ["sessions", "archived_sessions"].map((name) => joinPath(environment, folder, name));
}
