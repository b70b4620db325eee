import { anthropicMessages } from "./anthropic-messages/reader.ts";
import { claudeCode } from "./claude-code/reader.ts";
import { codex } from "./codex/reader.ts";
import { copilotCli } from "./copilot-cli/reader.ts";
import { geminiCli } from "./gemini-cli/reader.ts";
import { langfuse } from "./langfuse/reader.ts";
import { langsmith } from "./langsmith/reader.ts";
import { miniSweAgent } from "./mini-swe-agent/reader.ts";
import { openaiMessages } from "./openai-messages/reader.ts";
import { opencode } from "./opencode/reader.ts";
import { openhands } from "./openhands/reader.ts";
import { otel } from "./otel/reader.ts";
import { pi } from "./pi/reader.ts";
import { qwenCode } from "./qwen-code/reader.ts";
import type { TranscriptReader } from "./reader.ts";
import { sweAgent } from "./swe-agent/reader.ts";
import { trace } from "./trace/reader.ts";

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
