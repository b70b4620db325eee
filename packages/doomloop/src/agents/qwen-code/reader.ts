import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseQwenCode } from "./parse.ts";

/** Chats of Qwen Code. */
export const qwenCodeReader: TranscriptReader = {
  agent: "qwen-code",
  label: "Qwen Code",
  extensions: [".jsonl"],
  roots: qwenCodePaths,
  isMine: (_path, head) =>
    hasKey(head, "parentUuid", "null", '"') &&
    hasKey(head, "sessionId", '"') &&
    (hasKey(head, "parts", "[") || hasKey(head, "systemPayload", "{")) &&
    !hasKey(head, "isSidechain"),
  open: parseQwenCode,
};

/** One folder for each project, with `chats/` in it. Older versions used the same place as Gemini CLI. */
function qwenCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || joinPath(environment, home, ".qwen");
  return ["projects", "tmp"].map((name) => joinPath(environment, folder, name));
}
