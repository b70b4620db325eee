import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseCopilotCli } from "./parse.ts";
import { copilotCliPaths } from "./paths.ts";
import { trimLine } from "./trim-line.ts";

/** Events of GitHub's Copilot CLI and of its SDK. */
export const copilotCli: TranscriptReader = {
  agent: "copilot-cli",
  label: "Copilot CLI",
  extensions: [".jsonl"],
  roots: copilotCliPaths,
  isMine: (_path, head) =>
    hasKey(head, "data", "{") &&
    hasKey(head, "type", '"session.', '"user.message"', '"assistant.') &&
    (hasKey(head, "parentId", "null", '"') || hasKey(head, "copilotVersion", '"')),
  trim: trimLine,
  open: parseCopilotCli,
};
