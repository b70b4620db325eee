import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseClaudeCode } from "./parse.ts";
import { claudeCodePaths } from "./paths.ts";
import { trimLine } from "./trim-line.ts";

/** Claude Code and the Claude Agent SDK: what they keep, and what `--output-format stream-json` prints. */
export const claudeCode: TranscriptReader = {
  agent: "claude-code",
  label: "Claude Code",
  extensions: [".jsonl", ".ndjson"],
  roots: claudeCodePaths,
  isMine: (_path, head) =>
    hasKey(head, "isSidechain", "true", "false") ||
    (hasKey(head, "sessionId", '"') && hasKey(head, "type", '"queue-operation"', '"file-history-snapshot"')) ||
    (hasKey(head, "type", '"summary"') && hasKey(head, "leafUuid", '"')) ||
    (hasKey(head, "session_id", '"') && hasKey(head, "subtype", '"init"') && hasKey(head, "type", '"system"')),
  trim: trimLine,
  open: parseClaudeCode,
};
