import { readFault } from "../system/read-fault.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { findReader } from "./find-reader.ts";
import type { FileRecord } from "./run-record.ts";
import { type ScanFileOptions, scanFile } from "./scan-file.ts";

export interface ScanTargetOptions extends ScanFileOptions {
  readonly readers: readonly TranscriptReader[];
  /** The agent that wrote the file; undefined: that is found out. */
  readonly format: string | undefined;
}

/** Scans a file, whoever wrote it. Never throws: a file that cannot be read says so. */
export async function scanTarget(path: string, options: ScanTargetOptions): Promise<FileRecord> {
  const { readers, format } = options;
  try {
    const reader = format === undefined ? findReader(path, readers) : readers.find(({ agent }) => agent === format);
    return reader === undefined ? nothing(null) : await scanFile(path, reader, options);
  } catch (error) {
    return nothing(readFault(error));
  }
}

function nothing(fault: string | null): FileRecord {
  return { agent: null, runs: [], steps: {}, skippedLines: 0, fault };
}
