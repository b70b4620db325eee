import { joinPath } from "../../transcripts/file-names.ts";
import type { TranscriptEnvironment } from "../../transcripts/reader.ts";

/** One folder a project, each with `chats/`; older versions kept them where Gemini CLI does. */
export function qwenCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || joinPath(environment, home, ".qwen");
  return ["projects", "tmp"].map((name) => joinPath(environment, folder, name));
}
