import { readRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { createRecordReader } from "../../transcripts/record-reader.ts";
import { parseOpencode } from "./parse.ts";

const MAX_BYTES = 67_108_864;

/** Reads a file that `opencode export` wrote. Throws as `node:fs` does. */
export function readExport(path: string, sink: TranscriptSink): SkippedRecords {
  const bytes = readRegularFile(path, MAX_BYTES);
  if (bytes === undefined) return { malformed: 0, tooLong: 1 };
  const records = createRecordReader(parseOpencode(sink), { layout: "any" });
  records.push(bytes);
  records.end();
  return records.skipped();
}
