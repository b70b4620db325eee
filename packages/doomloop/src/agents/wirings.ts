import { claudeCode } from "./claude-code/settings.ts";
import { cline } from "./cline/settings.ts";
import { codex } from "./codex/settings.ts";
import { copilotCli } from "./copilot-cli/settings.ts";
import { geminiCli } from "./gemini-cli/settings.ts";
import { opencode } from "./opencode/settings.ts";
import { qwenCode } from "./qwen-code/settings.ts";
import type { AgentWiring } from "./settings/agent-settings.ts";

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
