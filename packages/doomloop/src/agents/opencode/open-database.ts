import { constants, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { requireRegularFile } from "../../transcripts/open-regular-file.ts";

export interface OpenDatabase {
  readonly database: DatabaseSync;
  close(): void;
}

/** SQLite's own number for a file that cannot be opened. */
const CANNOT_OPEN = 14;
const MAX_COPY = 2_147_483_648;

/**
 * Opens somebody else's database so that nothing beside it comes or changes: SQLite, asked to read only, still makes files for its
 * log and leaves them.
 *
 * At rest it is read as a file that does not change. In use, what its users share is looked at and not written to. With a log that
 * nobody has taken up, after a crash, or where Node cannot say any of this (before 22.15), a copy is read.
 */
export async function openDatabase(path: string): Promise<OpenDatabase> {
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

/** 0 for what is no file. */
function sizeOf(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true ? facts.size : 0;
}
