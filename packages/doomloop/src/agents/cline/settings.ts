import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace, AgentWiring } from "../settings/agent-settings.ts";
import { clineScript } from "./cline-script.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse"];

/** Cline: a program for each event, named after it. */
export const cline: AgentWiring = {
  host: "cline",
  label: "Cline",
  program: "cline",
  folder,
  files(place, { command }) {
    if (place.platform === "win32") throw new UsageError("hooks of Cline on Windows are not known well enough yet");
    const text = clineScript(command("posix"));
    return EVENTS.map((event) => ({
      type: "own" as const,
      path: join(folder(place), "hooks", event),
      text,
      isProgram: true,
    }));
  },
  notes: () => ["its hooks cannot refuse a single call. The model is told, and with --unattended the run is ended."],
};

function folder({ home }: AgentPlace): string {
  return join(home, ".cline");
}
