export { findReader } from "./find-reader.ts";
export { type ReadTranscriptOptions, type ReadTranscriptResult, readTranscript } from "./read-transcript.ts";
export type {
  SessionFacts,
  SkippedRecords,
  TranscriptEnvironment,
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
  TranscriptUsage,
} from "./reader.ts";
export { readers } from "./readers.ts";
