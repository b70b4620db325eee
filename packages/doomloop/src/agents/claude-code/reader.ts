import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
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
    isBookkeeping(head) ||
    (hasKey(head, "session_id", '"') && hasKey(head, "subtype", '"init"') && hasKey(head, "type", '"system"')),
  trim: trimLine,
  open: parseClaudeCode,
};

/** A record that begins with a type in one plain word; those of other agents that do so have a dot in it, or other fields. */
const PLAIN_TYPE = /^\s{0,8}\{\s?"type":\s?"[a-z-]{1,40}",/;

/** Whether a file begins with what Claude Code writes about a session: a name, a mode, a queue, a snapshot, a summary. */
function isBookkeeping(head: string): boolean {
  if (!PLAIN_TYPE.test(head) || hasKey(head, "projectHash")) return false;
  return (
    hasKey(head, "sessionId", '"') ||
    (hasKey(head, "type", '"file-history-snapshot"') && hasKey(head, "snapshot", "{")) ||
    (hasKey(head, "type", '"summary"') && hasKey(head, "leafUuid", '"'))
  );
}
