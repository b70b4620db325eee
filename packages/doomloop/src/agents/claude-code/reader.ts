import { endOfValue } from "../../transcripts/end-of-value.ts";
import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseClaudeCode } from "./parse.ts";

const QUOTE = 34;

const COMMA = 44;

const BACKSLASH = 92;

const LETTER_N = 110;

const LETTER_T = 116;

const CLOSE_RECORD = 125;

/** Kinds of records that lead somewhere. */
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

/** Less is parsed as fast as it is left out. */
const WORTH = 600;

/** Claude Code and the Claude Agent SDK: what they keep, and what `--output-format stream-json` prints. */
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

/** `CLAUDE_CONFIG_DIR` may name several folders; without it there are an old and a new place, and both may be in use. */
function claudeCodePaths(environment: TranscriptEnvironment): readonly string[] {
  const { home, env } = environment;
  const configured = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((folder) => folder.trim() !== "");
  const config = env.XDG_CONFIG_HOME || joinPath(environment, home, ".config");
  const usual = [joinPath(environment, home, ".claude"), joinPath(environment, config, "claude")];
  const folders = configured.length > 0 ? configured.map((folder) => folder.trim()) : usual;
  return folders.map((folder) => joinPath(environment, folder, "projects"));
}

/**
 * What of a line needs parsing: nothing of a request, a snapshot or an attachment, and a result once.
 *
 * A third of a session's bytes are such records, and the output of a tool stands in its record twice. Looks at single characters
 * wherever it can: a search for a text costs as much as parsing it.
 */
export function trimLine(line: string): string {
  if (line.charCodeAt(line.length - 1) !== CLOSE_RECORD) return line;
  if (line.charCodeAt(2) === LETTER_T) return line.startsWith(TYPE) && isPassedOver(line) ? "" : line;
  const at = afterHead(line);
  if (at === 0 || line.startsWith(',"message":', at)) return line;
  if (line.startsWith(ATTACHMENT, at)) {
    // Words that were typed meanwhile are read. Another type is told by its first field, where one that is spelt with escapes is none.
    if (!isOtherAttachment(line, at + ATTACHMENT.length)) return line;
    const end = endOfValue(line, at + ATTACHMENT.length - 1);
    return line.startsWith(',"type":"attachment"', end) ? "" : line;
  }
  return line.length < WORTH ? line : withoutTold(line, at);
}

/** Told by a plain word that is none of those which are read: one that is spelt with escapes is parsed, to be sure. */
function isPassedOver(line: string): boolean {
  for (let at = TYPE.length; at < MAX_TYPE; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) return false;
    if (code !== QUOTE) continue;
    return line.charCodeAt(at + 1) === COMMA && !READ.some((type) => line.startsWith(type, TYPE.length));
  }
  return false;
}

/** Whether an attachment is of a plain type that is not read. */
function isOtherAttachment(line: string, from: number): boolean {
  if (!line.startsWith(ATTACHED_TYPE, from)) return false;
  const start = from + ATTACHED_TYPE.length;
  const end = line.indexOf('"', start);
  const type = end < 0 || end - start > MAX_TYPE ? "\\" : line.slice(start, end);
  return !type.includes("\\") && !line.startsWith(QUEUED, start);
}

/** The place after the two fields that the records of a conversation begin with; 0 where a line begins otherwise. */
function afterHead(line: string): number {
  const isFirst = line.charCodeAt(PARENT.length) === LETTER_N;
  const at = PARENT.length + (isFirst ? 4 : 38);
  if (!line.startsWith(CHAIN, at) || !line.startsWith(PARENT)) return 0;
  return at + CHAIN.length + (line.charCodeAt(at + CHAIN.length) === LETTER_T ? 4 : 5);
}

/**
 * The line without what Claude Code itself kept of a result: only in the record of a user, and only where it follows the record's time.
 *
 * Looked for by its one rare letter. What is left has as many brackets as it should only if the field was one of the record's own.
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
