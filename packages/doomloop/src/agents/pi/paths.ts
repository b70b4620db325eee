import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** One folder a project. */
export function piPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.PI_CODING_AGENT_DIR || joinPath(environment, home, ".pi", "agent");
  return [env.PI_CODING_AGENT_SESSION_DIR || joinPath(environment, folder, "sessions")];
}
