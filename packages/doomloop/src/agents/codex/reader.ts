import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseCodex } from "./parse.ts";

/** Longest head of a line before its payload: the time, a number and the type. */
const MAX_HEAD = 160;

const EVENT = '"type":"event_msg","payload":{"type":"';

const READ = 'token_count"';

const PLAIN = /^[a-z_]{1,60}"/;

/** The rollouts of OpenAI's Codex CLI. */
export const codexReader: TranscriptReader = {
  agent: "codex",
  label: "Codex CLI",
  extensions: [".jsonl"],
  roots: codexPaths,
  isMine: (_path, head) =>
    hasKey(head, "payload", "{") && hasKey(head, "type", '"session_meta"', '"response_item"', '"event_msg"'),
  // Records were the items themselves until the middle of 2025, and some told Codex only about its own state.
  wasMine: (head) => hasKey(head, "record_type", '"state"'),
  trim: trimLine,
  open: parseCodex,
};

/** Rollouts are in folders by date, archived ones in a single folder. */
function codexPaths(environment: TranscriptEnvironment): readonly string[] {
  const folder = environment.env.CODEX_HOME || joinPath(environment, environment.home, ".codex");
  return ["sessions", "archived_sessions"].map((name) => joinPath(environment, folder, name));
}

/** Leaves out events for Codex's own screen, which repeat what was said and printed. Only usage is read from them. */
export function trimLine(line: string): string {
  const head = line.slice(0, MAX_HEAD);
  const at = head.indexOf(EVENT);
  if (at < 0 || !head.startsWith('{"timestamp":"') || !line.endsWith("}}")) return line;
  const type = line.slice(at + EVENT.length, at + EVENT.length + MAX_HEAD);
  return type.startsWith(READ) || !PLAIN.test(type) ? line : "";
}
