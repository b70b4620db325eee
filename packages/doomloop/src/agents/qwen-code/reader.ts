import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseQwenCode } from "./parse.ts";
import { qwenCodePaths } from "./paths.ts";

/** Chats of Qwen Code. */
export const qwenCode: TranscriptReader = {
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
