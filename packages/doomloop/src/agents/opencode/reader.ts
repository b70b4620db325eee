import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseOpencode } from "./parse.ts";
import { opencodePaths } from "./paths.ts";
import { isDatabase, readDatabase } from "./read-database.ts";
import { readExport } from "./read-export.ts";
import { isStoredRun, messagesOf, readStorage } from "./read-storage.ts";

/** Runs of opencode: its database, its older tree of files, and what `opencode export` prints. */
export const opencode: TranscriptReader = {
  agent: "opencode",
  label: "opencode",
  extensions: [".db", ".json"],
  layout: "any",
  roots: opencodePaths,
  isMine: (path, head) => isDatabase(path, head) || isStoredRun(path, head) || isExport(head),
  companions: (path) => (path.toLowerCase().endsWith(".db") ? [`${path}-wal`] : messagesOf(path)),
  open: (_source, sink) => parseOpencode(sink),
  async readFile(source, sink) {
    if (source.path.toLowerCase().endsWith(".db")) return readDatabase(source.path, sink);
    return isStoredRun(source.path) ? readStorage(source.path, sink) : readExport(source.path, sink);
  },
};

function isExport(head: string): boolean {
  return hasKey(head, "info", "{") && hasKey(head, "id", '"ses_') && hasKey(head, "directory", '"');
}
