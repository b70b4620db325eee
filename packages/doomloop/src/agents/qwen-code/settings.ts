import { join } from "node:path";
import { CLAUDE_EVENTS } from "../claude-code/settings.ts";
import { type AgentPlace, type AgentSettings, HARMLESS_ENVIRONMENT, hookEntries } from "../settings/agent-settings.ts";

/** Qwen Code has the events of Claude Code in its own `settings.json`, and uses PowerShell on Windows. */
export const qwenCodeSettings: AgentSettings = {
  program: "qwen",
  folder,
  files: (place, { command, seconds }) => [
    {
      type: "shared",
      path: join(folder(place), "settings.json"),
      hooks: hookEntries(CLAUDE_EVENTS, {
        type: "command",
        name: "doomloop",
        command: command(place.platform === "win32" ? "powershell" : "posix"),
        // Some versions expect seconds, but take a thousand or more for milliseconds.
        timeout: seconds * 1000,
        env: HARMLESS_ENVIRONMENT,
      }),
    },
  ],
  notes: () => ["it has its own loop detector, which ends a run without telling the model."],
};

function folder({ env, home }: AgentPlace): string {
  return env.QWEN_HOME || join(home, ".qwen");
}
