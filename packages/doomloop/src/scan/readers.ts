import { CODING_AGENTS } from "../agents/index.ts";
import { anthropicMessages } from "../transcripts/anthropic-messages/reader.ts";
import { langfuse } from "../transcripts/langfuse/reader.ts";
import { langsmith } from "../transcripts/langsmith/reader.ts";
import { miniSweAgent } from "../transcripts/mini-swe-agent/reader.ts";
import { openaiMessages } from "../transcripts/openai-messages/reader.ts";
import { otel } from "../transcripts/otel/reader.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { sweAgent } from "../transcripts/swe-agent/reader.ts";
import { trace } from "../transcripts/trace/reader.ts";

/** The readers that come with doomloop: our own format, the coding agents, then the rest. A file belongs to the first that claims it. */
export const readers: readonly TranscriptReader[] = [
  trace,
  ...CODING_AGENTS.flatMap(({ reader }) => reader ?? []),
  sweAgent,
  miniSweAgent,
  openaiMessages,
  anthropicMessages,
  langsmith,
  langfuse,
  otel,
];
