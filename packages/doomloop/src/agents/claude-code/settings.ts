import { join } from "node:path";
import { type AgentPlace, type AgentSettings, hookEntries } from "../settings/agent-settings.ts";

/** The events of Claude Code that matter to a guard. Qwen Code has the same. */
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

/** Claude Code has hooks in the user's `settings.json`. A POSIX shell runs them, on Windows the one of Git. */
export const claudeCodeSettings: AgentSettings = {
  program: "claude",
  isStrict: true,
  folder,
  files: (place, { command, seconds }) => [
    {
      type: "shared",
      path: join(folder(place), "settings.json"),
      hooks: hookEntries(CLAUDE_EVENTS, { type: "command", command: command("posix"), timeout: seconds }),
      statusLine: command("posix", true),
    },
  ],
  notes: () => ["sessions that are already open may keep the hooks they started with."],
};

/** `CLAUDE_CONFIG_DIR` may name several folders. The first has the settings. */
function folder({ env, home }: AgentPlace): string {
  const [configured] = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((name) => name.trim() !== "");
  return configured ?? join(home, ".claude");
}
