import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseAntigravityCli } from "./parse.ts";

/** Conversations of Antigravity CLI, each in a folder of its own. */
export const antigravityCliReader: TranscriptReader = {
  agent: "antigravity-cli",
  label: "Antigravity CLI",
  extensions: [".jsonl"],
  roots: (environment) => [joinPath(environment, environment.home, ".gemini", "antigravity-cli", "brain")],
  isMine: (_path, head) => hasKey(head, "step_index") && hasKey(head, "source", '"') && hasKey(head, "type", '"'),
  open: parseAntigravityCli,
};
