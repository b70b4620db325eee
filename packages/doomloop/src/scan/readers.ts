import { claudeCode } from "../agents/claude-code/reader.ts";
import { codex } from "../agents/codex/reader.ts";
import { copilotCli } from "../agents/copilot-cli/reader.ts";
import { geminiCli } from "../agents/gemini-cli/reader.ts";
import { opencode } from "../agents/opencode/reader.ts";
import { openhands } from "../agents/openhands/reader.ts";
import { pi } from "../agents/pi/reader.ts";
import { qwenCode } from "../agents/qwen-code/reader.ts";
import { anthropicMessages } from "../transcripts/anthropic-messages/reader.ts";
import { langfuse } from "../transcripts/langfuse/reader.ts";
import { langsmith } from "../transcripts/langsmith/reader.ts";
import { miniSweAgent } from "../transcripts/mini-swe-agent/reader.ts";
import { openaiMessages } from "../transcripts/openai-messages/reader.ts";
import { otel } from "../transcripts/otel/reader.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { sweAgent } from "../transcripts/swe-agent/reader.ts";
import { trace } from "../transcripts/trace/reader.ts";

/** The readers that come with doomloop. A file belongs to the first that takes it for its own. */
export const readers: readonly TranscriptReader[] = [
  trace,
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  opencode,
  openhands,
  sweAgent,
  miniSweAgent,
  pi,
  openaiMessages,
  anthropicMessages,
  langsmith,
  langfuse,
  otel,
];
