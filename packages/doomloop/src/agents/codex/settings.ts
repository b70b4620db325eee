import { join } from "node:path";
import { type AgentPlace, type AgentSettings, hookEntries } from "../settings/agent-settings.ts";

/** The events of Codex that matter to a guard. */
export const CODEX_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostCompact",
  "Stop",
  "SubagentStop",
];

/** Codex has `hooks.json`, in the layout of Claude Code. */
export const codexSettings: AgentSettings = {
  program: "codex",
  folder,
  files: (place, { command, seconds }) => [
    {
      type: "shared",
      path: join(folder(place), "hooks.json"),
      hooks: hookEntries(CODEX_EVENTS, {
        type: "command",
        command: command("posix"),
        ...(place.platform === "win32" && { commandWindows: command("any-windows") }),
        timeout: seconds,
      }),
    },
  ],
  notes: () => [
    "Codex runs no hook until you trust it, and does not tell you. Start codex, type /hooks and trust doomloop's, now and whenever they change.",
  ],
};

function folder({ env, home }: AgentPlace): string {
  return env.CODEX_HOME || join(home, ".codex");
}
