import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseCodex } from "./parse.ts";
import { codexPaths } from "./paths.ts";
import { trimLine } from "./trim-line.ts";

/** The rollouts of OpenAI's Codex CLI. */
export const codex: TranscriptReader = {
  agent: "codex",
  label: "Codex CLI",
  extensions: [".jsonl"],
  roots: codexPaths,
  isMine: (_path, head) =>
    (hasKey(head, "payload", "{") && hasKey(head, "type", '"session_meta"', '"response_item"', '"event_msg"')) ||
    hasKey(head, "record_type", '"state"'),
  trim: trimLine,
  open: parseCodex,
};
