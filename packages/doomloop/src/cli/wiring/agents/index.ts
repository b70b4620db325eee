import type { AgentWiring } from "./agent-wiring.ts";
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";

/** The agents that can be wired. */
export const AGENT_WIRINGS: readonly AgentWiring[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  cline,
  opencode,
];
