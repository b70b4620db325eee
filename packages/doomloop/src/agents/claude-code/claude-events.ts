/** The events of Claude Code that tell of a run; Qwen Code has taken them over. */
export const CLAUDE_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PostCompact",
  "Stop",
  "SubagentStop",
] as const;
