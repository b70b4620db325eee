import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { createTurns } from "../../transcripts/turns.ts";
import { createStoredRun } from "./stored-run.ts";

const STORED_RUN = /[\\/]storage[\\/]session[\\/](?:info[\\/]|[^\\/]+[\\/])ses_[\w-]+\.json$/;
const SAFE_ID = /^[\w-]{1,80}$/;
const MAX_BYTES = 67_108_864;

/** Whether a file describes a run in opencode's tree: `storage/session/<project>/ses_….json`. */
export function isStoredRun(path: string, head = "{"): boolean {
  return STORED_RUN.test(path) && head.trimStart().startsWith("{");
}

/** The folder with the messages of a run. It has the name of the run. */
export function messagesOf(path: string): readonly string[] {
  if (!isStoredRun(path)) return [];
  return [join(storageOf(path), "message", basename(path, ".json"))];
}

function storageOf(path: string): string {
  return path.slice(0, path.search(/[\\/]session[\\/]/));
}

/**
 * Reads a run from the tree that opencode used before its database. Messages are in `storage/message/<run>`, their parts in
 * `storage/part/<message>`. Ids sort by time.
 */
export async function readStorage(path: string, sink: TranscriptSink): Promise<SkippedRecords> {
  let malformed = 0;
  const read = (file: string): ForeignRecord | undefined => {
    const record = readRecord(file);
    if (record === undefined) malformed++;
    return record;
  };
  const info = read(path);
  const id = textOf(info?.id);
  if (info === undefined || id === undefined || !SAFE_ID.test(id))
    return { malformed: Math.max(1, malformed), tooLong: 0 };
  const storage = storageOf(path);
  const run = createStoredRun(info, sink);
  const turns = createTurns();
  for (const name of jsonFiles(join(storage, "message", id))) {
    await turns.pause();
    const message = read(join(storage, "message", id, name));
    const own = name.slice(0, -".json".length);
    if (message === undefined || !SAFE_ID.test(own)) continue;
    const folder = join(storage, "part", own);
    run.take(
      message,
      jsonFiles(folder).map((part) => read(join(folder, part))),
    );
  }
  run.end();
  return { malformed, tooLong: 0 };
}

function jsonFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

function readRecord(file: string): ForeignRecord | undefined {
  try {
    return recordOf(JSON.parse(readRegularFile(file, MAX_BYTES)?.toString("utf8") ?? ""));
  } catch {
    return undefined;
  }
}
