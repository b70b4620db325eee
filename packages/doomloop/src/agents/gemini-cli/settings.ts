import { join } from "node:path";
import { type AgentPlace, type AgentSettings, HARMLESS_ENVIRONMENT, hookEntries } from "../settings/agent-settings.ts";

/** Gemini CLI has hooks in the user's `settings.json`, counts time in milliseconds, and uses PowerShell on Windows. */
export const geminiCliSettings: AgentSettings = {
  program: "gemini",
  folder,
  files: (place, { command, seconds }) => [
    {
      type: "shared",
      path: join(folder(place), "settings.json"),
      hooks: hookEntries(["BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"], {
        type: "command",
        name: "doomloop",
        command: command(place.platform === "win32" ? "powershell" : "posix"),
        timeout: seconds * 1000,
        env: HARMLESS_ENVIRONMENT,
      }),
    },
  ],
  notes: () => [
    "it ends a run itself at the fifth identical call. The hook steps in before that, and also finds other kinds of loops.",
  ],
};

function folder({ env, home }: AgentPlace): string {
  return join(env.GEMINI_CLI_HOME || home, ".gemini");
}
