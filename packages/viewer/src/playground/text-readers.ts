import { antigravityCliReader } from "../../../doomloop/src/agents/antigravity-cli/reader.ts";
import { claudeCodeReader } from "../../../doomloop/src/agents/claude-code/reader.ts";
import { codexReader } from "../../../doomloop/src/agents/codex/reader.ts";
import { copilotCliReader } from "../../../doomloop/src/agents/copilot-cli/reader.ts";
import { geminiCliReader } from "../../../doomloop/src/agents/gemini-cli/reader.ts";
import { piReader } from "../../../doomloop/src/agents/pi/reader.ts";
import { qwenCodeReader } from "../../../doomloop/src/agents/qwen-code/reader.ts";
import { anthropicMessages } from "../../../doomloop/src/transcripts/anthropic-messages/reader.ts";
import { langfuse } from "../../../doomloop/src/transcripts/langfuse/reader.ts";
import { langsmith } from "../../../doomloop/src/transcripts/langsmith/reader.ts";
import { miniSweAgent } from "../../../doomloop/src/transcripts/mini-swe-agent/reader.ts";
import { openaiMessages } from "../../../doomloop/src/transcripts/openai-messages/reader.ts";
import { otel } from "../../../doomloop/src/transcripts/otel/reader.ts";
import type { TranscriptReader } from "../../../doomloop/src/transcripts/reader.ts";
import { sweAgent } from "../../../doomloop/src/transcripts/swe-agent/reader.ts";
import { trace } from "../../../doomloop/src/transcripts/trace/reader.ts";

/** The readers that need only the text of a transcript, in the order of the scan. The others read several files. */
export const textReaders: readonly TranscriptReader[] = [
  trace,
  claudeCodeReader,
  codexReader,
  geminiCliReader,
  antigravityCliReader,
  qwenCodeReader,
  copilotCliReader,
  piReader,
  sweAgent,
  miniSweAgent,
  openaiMessages,
  anthropicMessages,
  langsmith,
  langfuse,
  otel,
];
