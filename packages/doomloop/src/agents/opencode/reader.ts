import { joinPath } from "../../transcripts/file-names.ts";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import { readRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptParser, TranscriptReader, TranscriptSink } from "../../transcripts/reader.ts";
import { createRecordReader } from "../../transcripts/record-reader.ts";
import { isDatabase, readDatabase } from "./read-database.ts";
import { isStoredRun, messagesOf, readStorage } from "./read-storage.ts";
import { createStoredRun } from "./stored-run.ts";

const MAX_BYTES = 67_108_864;

/** Runs of opencode: its database, its older tree of files, and what `opencode export` prints. */
export const opencodeReader: TranscriptReader = {
  agent: "opencode",
  label: "opencode",
  extensions: [".db", ".json"],
  layout: "any",
  /** A database since version 1.2. Before that, a tree of JSON files below `storage`. */
  roots(environment) {
    const { env, home, platform } = environment;
    const usual =
      platform === "win32" && env.LOCALAPPDATA ? env.LOCALAPPDATA : joinPath(environment, home, ".local", "share");
    const folder = joinPath(environment, env.XDG_DATA_HOME || usual, "opencode");
    const database = env.OPENCODE_DB || joinPath(environment, folder, "opencode.db");
    return [database, joinPath(environment, folder, "storage", "session")];
  },
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

/** Reads a file that `opencode export` wrote. Throws as `node:fs` does. */
function readExport(path: string, sink: TranscriptSink): SkippedRecords {
  const bytes = readRegularFile(path, MAX_BYTES);
  if (bytes === undefined) return { malformed: 0, tooLong: 1 };
  const records = createRecordReader(parseOpencode(sink), { layout: "any" });
  records.push(bytes);
  records.end();
  return records.skipped();
}

/** Reads an exported run: one JSON document with the run's facts, and messages with their parts. */
function parseOpencode(sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const { info, messages } = recordOf(value) ?? {};
      const facts = recordOf(info);
      if (facts === undefined || !Array.isArray(messages)) return false;
      const run = createStoredRun(facts, sink);
      for (const entry of messages) {
        const message = recordOf(entry);
        if (message !== undefined) run.take(recordOf(message.info) ?? {}, listOf(message.parts));
      }
      run.end();
      return true;
    },
    end() {},
  };
}
