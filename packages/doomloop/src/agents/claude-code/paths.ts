import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** `CLAUDE_CONFIG_DIR` may name several folders; without it there are an old and a new place, and both may be in use. */
export function claudeCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { home, env } = environment;
  const configured = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((folder) => folder.trim() !== "");
  const config = env.XDG_CONFIG_HOME || joinPath(environment, home, ".config");
  const usual = [joinPath(environment, home, ".claude"), joinPath(environment, config, "claude")];
  const folders = configured.length > 0 ? configured.map((folder) => folder.trim()) : usual;
  return folders.map((folder) => joinPath(environment, folder, "projects"));
}
