import type { CodingAgent } from "../coding-agent.ts";
import { claudeCodeDoctor } from "./doctor.ts";
import { claudeCodeHook } from "./hook.ts";
import { claudeCodeReader } from "./reader.ts";
import { CLAUDE_EVENTS, claudeCodeSettings } from "./settings.ts";

export const claudeCode: CodingAgent = {
  name: "claude-code",
  label: "Claude Code",
  hook: claudeCodeHook,
  settings: claudeCodeSettings,
  reader: claudeCodeReader,
  doctor: claudeCodeDoctor,
  http: { file: "~/.claude/settings.json", events: CLAUDE_EVENTS },
};
