export type {
  SessionFacts,
  SkippedRecords,
  TranscriptEnvironment,
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
  TranscriptUsage,
} from "../transcripts/reader.ts";
export {
  findReader,
  type ReadTranscriptOptions,
  type ReadTranscriptResult,
  readTranscript,
} from "./read-transcript.ts";
export { readers } from "./readers.ts";
