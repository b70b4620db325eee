export type { TranscriptReader, TranscriptSource } from "../transcripts/reader.ts";
export { findReader, readTranscript } from "./read-transcript.ts";
export { readers } from "./readers.ts";
