import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { endOfValue } from "./end-of-value.ts";
import { parseClaudeCode } from "./parse.ts";

const QUOTE = 34;

const COMMA = 44;

const BACKSLASH = 92;

const LETTER_N = 110;

const LETTER_T = 116;

const CLOSE_RECORD = 125;

/** Kinds of records that are read. */
const READ: readonly string[] = ['assistant"', 'user"', 'system"', 'result"', 'queue-operation"', 'progress"'];

const TYPE = '{"type":"';

const MAX_TYPE = 60;

const ATTACHMENT = ',"attachment":{';

const ATTACHED_TYPE = '"type":"';

const QUEUED = 'queued_command"';

const PARENT = '{"parentUuid":';

const CHAIN = ',"isSidechain":';

const USER = '"type":"user",';

const TOLD = ',"toolUseResult":';

const TIME = '"timestamp":"';

const TIME_LENGTH = '"timestamp":"2026-01-01T00:00:00.000Z"'.length;

/** Shorter lines are parsed as fast as they are trimmed. */
const WORTH = 600;

/** Sessions of Claude Code and the Claude Agent SDK, and what `--output-format stream-json` prints. */
export const claudeCodeReader: TranscriptReader = {
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

/** `CLAUDE_CONFIG_DIR` may name several folders. Without it there are an old and a new folder, and both may be in use. */
function claudeCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { home, env } = environment;
  const configured = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((folder) => folder.trim() !== "");
  const config = env.XDG_CONFIG_HOME || joinPath(environment, home, ".config");
  const usual = [joinPath(environment, home, ".claude"), joinPath(environment, config, "claude")];
  const folders = configured.length > 0 ? configured.map((folder) => folder.trim()) : usual;
  return folders.map((folder) => joinPath(environment, folder, "projects"));
}

/**
 * Leaves out what need not be parsed: requests, snapshots, attachments, and the second copy of a result.
 *
 * Such records are a third of a session's bytes, and a record contains the output of its tool twice. Looks at single characters if
 * possible, because searching a text costs as much as parsing it.
 */
export function trimLine(line: string): string {
  if (line.charCodeAt(line.length - 1) !== CLOSE_RECORD) return line;
  if (line.charCodeAt(2) === LETTER_T) return line.startsWith(TYPE) && isPassedOver(line) ? "" : line;
  const at = afterHead(line);
  if (at === 0 || line.startsWith(',"message":', at)) return line;
  if (line.startsWith(ATTACHMENT, at)) {
    // Attachments with the user's words are read. Others are recognised by their first field, unless it is written with escapes.
    if (!isOtherAttachment(line, at + ATTACHMENT.length)) return line;
    const end = endOfValue(line, at + ATTACHMENT.length - 1);
    return line.startsWith(',"type":"attachment"', end) ? "" : line;
  }
  return line.length < WORTH ? line : withoutTold(line, at);
}

/** Whether a record has a plain type that is not read. A type with escapes is parsed, to be sure. */
function isPassedOver(line: string): boolean {
  for (let at = TYPE.length; at < MAX_TYPE; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) return false;
    if (code !== QUOTE) continue;
    return line.charCodeAt(at + 1) === COMMA && !READ.some((type) => line.startsWith(type, TYPE.length));
  }
  return false;
}

/** Whether an attachment has a plain type that is not read. */
function isOtherAttachment(line: string, from: number): boolean {
  if (!line.startsWith(ATTACHED_TYPE, from)) return false;
  const start = from + ATTACHED_TYPE.length;
  const end = line.indexOf('"', start);
  const type = end < 0 || end - start > MAX_TYPE ? "\\" : line.slice(start, end);
  return !type.includes("\\") && !line.startsWith(QUEUED, start);
}

/** The position after the two fields that begin a record of a conversation. 0 for other lines. */
function afterHead(line: string): number {
  const isFirst = line.charCodeAt(PARENT.length) === LETTER_N;
  const at = PARENT.length + (isFirst ? 4 : 38);
  if (!line.startsWith(CHAIN, at) || !line.startsWith(PARENT)) return 0;
  return at + CHAIN.length + (line.charCodeAt(at + CHAIN.length) === LETTER_T ? 4 : 5);
}

/**
 * The line without Claude Code's own copy of a result. It is removed only from a user's record, and only if it follows the record's time.
 *
 * The search looks for its one rare letter. The rest has matching brackets only if the field belonged to the record itself.
 */
function withoutTold(line: string, from: number): string {
  const message = line.indexOf('"message":{', from);
  if (message < 0 || !line.startsWith(USER, message - USER.length)) return line;
  for (let at = line.indexOf("U", message); at >= 0 && line.length - at > WORTH; at = line.indexOf("U", at + 1)) {
    const start = at - TOLD.indexOf("U");
    if (!line.startsWith(TOLD, start) || !line.startsWith(TIME, start - TIME_LENGTH)) continue;
    const end = endOfValue(line, start + TOLD.length);
    return end < 0 ? line : line.slice(0, start) + line.slice(end);
  }
  return line;
}
