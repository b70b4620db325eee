import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace, AgentSettings } from "../settings/agent-settings.ts";

/**
 * Antigravity CLI shares a folder of settings with other programs of Antigravity. A hook has a name there, and its events have commands
 * without the usual list around them. An unreadable file is dropped as a whole.
 */
export const antigravityCliSettings: AgentSettings = {
  program: "agy",
  isStrict: true,
  folder,
  files(place, { command, seconds }) {
    if (place.platform === "win32") throw new UsageError("hooks of Antigravity CLI on Windows are not supported yet");
    const handler = { type: "command", command: command("posix-object"), timeout: seconds };
    return [
      {
        type: "shared",
        path: join(place.home, ".gemini", "config", "hooks.json"),
        field: "doomloop",
        hooks: { PreInvocation: handler, PostInvocation: handler },
      },
    ];
  },
  notes: () => [
    "this support is built from documents: we have not run it. Please tell us what you see. Its hooks cannot refuse a single call. The model is told, and with --unattended the run is ended.",
  ],
};

function folder({ home }: AgentPlace): string {
  return join(home, ".gemini", "antigravity-cli");
}
