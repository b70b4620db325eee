import { joinPath } from "../join-path.ts";
import type { TranscriptEnvironment } from "../reader.ts";

/** One folder a project, each with `chats/`; older versions kept them where Gemini CLI does. */
export function qwenCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const folder = environment.env.QWEN_HOME || joinPath(environment, environment.home, ".qwen");
  return ["projects", "tmp"].map((name) => joinPath(environment, folder, name));
}
