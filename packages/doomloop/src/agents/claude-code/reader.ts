import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseClaudeCode } from "./parse.ts";

/** Sessions of Claude Code and the Claude Agent SDK, and what `--output-format stream-json` prints. */
export const claudeCodeReader: TranscriptReader = {
  agent: "claude-code",
  label: "Claude Code",
  extensions: [".jsonl", ".ndjson"],
  /** `CLAUDE_CONFIG_DIR` may name several folders. Without it there are an old and a new folder, and both may be in use. */
  roots(environment) {
    const { home, env } = environment;
    const configured = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((folder) => folder.trim() !== "");
    const config = env.XDG_CONFIG_HOME || joinPath(environment, home, ".config");
    const usual = [joinPath(environment, home, ".claude"), joinPath(environment, config, "claude")];
    const folders = configured.length > 0 ? configured.map((folder) => folder.trim()) : usual;
    return folders.map((folder) => joinPath(environment, folder, "projects"));
  },
  isMine: (_path, head) =>
    hasKey(head, "isSidechain", "true", "false") ||
    isBookkeeping(head) ||
    (hasKey(head, "session_id", '"') && hasKey(head, "subtype", '"init"') && hasKey(head, "type", '"system"')),
  open: parseClaudeCode,
};

/** A record that begins with a type in one plain word. Other agents' types have a dot, or their records have other fields. */
const PLAIN_TYPE = /^\s{0,8}\{\s?"type":\s?"[a-z-]{1,40}",/;

/** Whether a file begins with a record about the session: a name, a mode, a queue, a snapshot or a summary. */
function isBookkeeping(head: string): boolean {
  if (!PLAIN_TYPE.test(head) || hasKey(head, "projectHash")) return false;
  return (
    hasKey(head, "sessionId", '"') ||
    (hasKey(head, "type", '"file-history-snapshot"') && hasKey(head, "snapshot", "{")) ||
    (hasKey(head, "type", '"summary"') && hasKey(head, "leafUuid", '"'))
  );
}
