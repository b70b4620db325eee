import { hasKey, recordsIn } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parsePi } from "./parse.ts";
import { piPaths } from "./paths.ts";

/** Runs of the pi coding agent. */
export const pi: TranscriptReader = {
  agent: "pi",
  label: "pi",
  extensions: [".jsonl"],
  roots: piPaths,
  isMine: (_path, head) =>
    recordsIn(head).some(
      ({ type, id, cwd }) => type === "session" && typeof id === "string" && typeof cwd === "string",
    ) || isEntry(head),
  open: parsePi,
};

/** An entry of the tree, where the first line was lost. */
function isEntry(head: string): boolean {
  return (
    hasKey(head, "type", '"message"') &&
    hasKey(head, "parentId", '"') &&
    hasKey(head, "message", "{") &&
    hasKey(head, "role", '"user"', '"assistant"', '"toolResult"')
  );
}
