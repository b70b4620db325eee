import type { DatabaseSync } from "node:sqlite";
import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import { createStoredRun } from "./stored-run.ts";

const DATABASE_NAME = /(?:^|[\\/])opencode[\w-]*\.db$/;
const MAGIC = "SQLite format 3\0";
/** The table of runs, which is described on the first page; `OPENCODE_DB` gives the file any name. */
const SESSIONS = ["CREATE TABLE `session`", "parent_id", "directory"];

const RUNS = "SELECT id, parent_id, directory, version, time_created FROM session ORDER BY time_created, id";
const MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id";
const PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id";

/** Whether a file is opencode's database. */
export function isDatabase(path: string, head: string): boolean {
  return head.startsWith(MAGIC) && (DATABASE_NAME.test(path) || SESSIONS.every((part) => head.includes(part)));
}

/**
 * Reads the runs of opencode's database, which may be in use and is left as it is.
 *
 * Throws where Node has no SQLite (before 22.13). A broken database counts as one malformed record.
 */
export async function readDatabase(path: string, sink: TranscriptSink): Promise<SkippedRecords> {
  let malformed = 0;
  const parsed = (data: unknown): ForeignRecord => {
    const record = parse(data);
    if (record === undefined) malformed++;
    return record ?? {};
  };
  const readRuns = (database: DatabaseSync): void => {
    const messages = database.prepare(MESSAGES);
    const parts = database.prepare(PARTS);
    for (const row of database.prepare(RUNS).iterate()) {
      const { id, parent_id, directory, version, time_created: created } = row as ForeignRecord;
      const name = textOf(id);
      if (name === undefined) continue;
      const run = createStoredRun({ id, parent_id, directory, version, time: { created } }, sink);
      try {
        for (const message of messages.iterate(name)) {
          const key = textOf(message.id) ?? "";
          const own = parts.all(key).map(({ data }) => parsed(data));
          run.take({ ...parsed(message.data), id: key }, own);
        }
      } finally {
        run.end();
      }
    }
  };
  let open: OpenDatabase | undefined;
  try {
    open = await openDatabase(path);
    readRuns(open.database);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_UNKNOWN_BUILTIN_MODULE") throw error;
    malformed++;
  } finally {
    open?.close();
  }
  return { malformed, tooLong: 0 };
}

function parse(data: unknown): ForeignRecord | undefined {
  try {
    return typeof data === "string" ? recordOf(JSON.parse(data)) : undefined;
  } catch {
    return undefined;
  }
}
