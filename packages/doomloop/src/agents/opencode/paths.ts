import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** A database since version 1.2; before, a tree of JSON files below `storage`. */
export function opencodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home, platform } = environment;
  const usual =
    platform === "win32" && env.LOCALAPPDATA ? env.LOCALAPPDATA : joinPath(environment, home, ".local", "share");
  const folder = joinPath(environment, env.XDG_DATA_HOME || usual, "opencode");
  const database = env.OPENCODE_DB || joinPath(environment, folder, "opencode.db");
  return [database, joinPath(environment, folder, "storage", "session")];
}
