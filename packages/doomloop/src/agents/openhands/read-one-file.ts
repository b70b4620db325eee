import { closeSync, readSync } from "node:fs";
import { openRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { createRecordReader } from "../../transcripts/record-reader.ts";
import { parseOpenhands } from "./parse.ts";

const PIECE_BYTES = 262_144;

/** Reads a trajectory, or the output of a benchmark. Throws as `node:fs` does. */
export function readOneFile(path: string, sink: TranscriptSink): SkippedRecords {
  const records = createRecordReader(parseOpenhands({ path }, sink), { layout: "any" });
  const { descriptor: file } = openRegularFile(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      records.push(buffer.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  records.end();
  return records.skipped();
}
