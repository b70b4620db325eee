import { constants, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type ForeignRecord, jsonIn, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { requireRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { createStoredRun } from "./stored-run.ts";

/** SQLite's error code for a file that cannot be opened. */
const CANNOT_OPEN = 14;

const MAX_COPY = 2_147_483_648;

const DATABASE_NAME = /(?:^|[\\/])opencode[\w-]*\.db$/;
const MAGIC = "SQLite format 3\0";
/** The definition of the table of runs is on the first page. It is looked for because `OPENCODE_DB` can give the file any name. */
const SESSIONS = ["CREATE TABLE `session`", "parent_id", "directory"];

const RUNS = "SELECT id, parent_id, directory, version, time_created FROM session ORDER BY time_created, id";
const MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id";
const PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id";

/** Whether a file is opencode's database. */
export function isDatabase(path: string, head: string): boolean {
  return head.startsWith(MAGIC) && (DATABASE_NAME.test(path) || SESSIONS.every((part) => head.includes(part)));
}

/**
 * Reads the runs of opencode's database, which may be in use and is not changed.
 *
 * Throws if Node has no SQLite (before 22.13). A broken database counts as one malformed record.
 */
export async function readDatabase(path: string, sink: TranscriptSink): Promise<SkippedRecords> {
  let malformed = 0;
  const parsed = (data: unknown): ForeignRecord => {
    const record = recordOf(jsonIn(textOf(data)));
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

interface OpenDatabase {
  readonly database: DatabaseSync;
  close(): void;
}

/**
 * Opens somebody else's database without creating or changing any file. Even if SQLite only reads, it creates files for its log and leaves
 * them.
 *
 * A database that nobody uses is read as an immutable file. If it is in use, the shared files are read but not written. If a crash left a
 * log behind, or Node has no such options (before 22.15), a copy is read.
 */
async function openDatabase(path: string): Promise<OpenDatabase> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  requireRegularFile(path);
  const hasUsers = sizeOf(`${path}-shm`) > 0;
  if (hasUsers || sizeOf(`${path}-wal`) === 0) {
    const url = pathToFileURL(path);
    url.searchParams.set(hasUsers ? "readonly_shm" : "immutable", "1");
    try {
      const database = new Database(url, { readOnly: true });
      database.prepare("SELECT 1 FROM sqlite_master").get();
      return { database, close: () => database.close() };
    } catch (error) {
      const { errcode, code } = error as { errcode?: unknown; code?: unknown };
      if (errcode !== CANNOT_OPEN && code !== "ERR_INVALID_ARG_TYPE") throw error;
    }
  }
  return openCopy(path, Database);
}

function openCopy(path: string, Database: typeof DatabaseSync): OpenDatabase {
  const parts = ["", "-wal"].filter((ending) => sizeOf(`${path}${ending}`) > 0);
  if (parts.some((ending) => sizeOf(`${path}${ending}`) > MAX_COPY)) throw new Error("it is too long to be copied");
  const folder = mkdtempSync(join(tmpdir(), "doomloop-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    for (const ending of parts) copyFileSync(`${path}${ending}`, `${copy}${ending}`, constants.COPYFILE_FICLONE);
    const database = new Database(copy);
    return {
      database,
      close() {
        database.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** 0 if there is no file. */
function sizeOf(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true ? facts.size : 0;
}
