import { chooseOptions, configFor } from "../../scan/config.ts";
import type { ReportedRun } from "../../scan/report-builder.ts";
import type { FileRecord } from "../../scan/run-record.ts";
import { scanFile } from "../../scan/scan-file.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";

interface ReadSessionOptions {
  readonly preset?: string | undefined;
  readonly config?: string | false | undefined;
  readonly cost?: boolean | undefined;
  readonly includesContent: boolean;
}

/** One session as it is in its file, with all of its steps. */
export interface ReadSession {
  readonly record: FileRecord;
  readonly reader: TranscriptReader;
  /** Which of the file's runs it is. */
  readonly place: number;
}

/** Reads one session again. The scan keeps only the steps around loops, and nothing of their content. */
export async function readSession(
  { record, file, before }: ReportedRun,
  readers: readonly TranscriptReader[],
  options: ReadSessionOptions,
): Promise<ReadSession> {
  const reader = readers.find(({ agent }) => agent === record.agent)!;
  const read = await scanFile(file.path, reader, {
    guardOptions: await chooseOptions(options.preset, configFor(options.config)),
    hasCosts: options.cost !== false,
    includesContent: options.includesContent,
    onlyRun: record.run,
  });
  // A file may contain several runs with the same name, and all of them were read.
  return { record: read, reader, place: Math.min(before, read.runs.length - 1) };
}

/**
 * Whether a command shows arguments and results: on the user's own terminal, or if the user asks for it. Pipes and files
 * may end up with somebody else.
 */
export function showsContent(
  options: { readonly includeContent?: boolean | undefined; readonly content?: boolean },
  width: number | undefined,
): boolean {
  return options.includeContent === true || (width !== undefined && options.content !== false);
}
