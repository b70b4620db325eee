import type { TranscriptReader } from "./reader.ts";

/** Completes a reader of files that have no place of their own: users name them on the command line. */
export function namedReader(reader: Pick<TranscriptReader, "agent" | "label" | "isMine" | "open">): TranscriptReader {
  return { ...reader, extensions: [".json", ".jsonl", ".ndjson"], layout: "any", roots: () => [] };
}
