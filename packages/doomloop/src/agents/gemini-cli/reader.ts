import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseGeminiCli } from "./parse.ts";
import { geminiCliPaths } from "./paths.ts";

/** What was typed, and chats that were saved or can be gone back to: parts of conversations that are read anyway. */
const OTHER = /[\\/](?:logs|checkpoint[^\\/]{0,200})\.json$|[\\/]checkpoints[\\/]/;

/** Chats of Gemini CLI: lines of changes since 2026, one JSON document before. */
export const geminiCli: TranscriptReader = {
  agent: "gemini-cli",
  label: "Gemini CLI",
  extensions: [".jsonl", ".json"],
  layout: "any",
  roots: geminiCliPaths,
  isOther: (path) => OTHER.test(path),
  isMine: (_path, head) =>
    hasKey(head, "sessionId", '"') && hasKey(head, "projectHash", '"') && hasKey(head, "startTime", '"'),
  open: parseGeminiCli,
};
