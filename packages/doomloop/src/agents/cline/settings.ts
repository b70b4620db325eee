import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace, AgentSettings } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";

const BEGIN = "#!/bin/sh\nanswer=$(";

const END = ")\n[ -n \"$answer\" ] || answer='{}'\nprintf '%s\\n' \"$answer\"\n";

const EVENTS = ["TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];

/** Cline starts a program for each event, which is named after the event. */
export const clineSettings: AgentSettings = {
  program: "cline",
  folder,
  files(place, { command }) {
    if (place.platform === "win32") throw new UsageError("hooks of Cline on Windows are not supported yet");
    const text = clineScript(command("posix"));
    return EVENTS.map((event) => ({
      type: "own" as const,
      path: join(folder(place), "hooks", event),
      text,
      isProgram: true,
    }));
  },
  isOwnFile: (text) => commandInScript(text) !== undefined,
  notes: () => ["its hooks cannot refuse a single call. The model is told, and with --unattended the run is ended."],
};

function folder({ home }: AgentPlace): string {
  return join(home, ".cline");
}

/** The program that Cline starts for an event. Cline expects JSON even if the hook prints nothing. */
export function clineScript(command: string): string {
  return `${BEGIN}${command}${END}`;
}

/** The command in such a program. Undefined for somebody else's program. */
export function commandInScript(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const command = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(command) && !command.includes("\n") ? command : undefined;
}
