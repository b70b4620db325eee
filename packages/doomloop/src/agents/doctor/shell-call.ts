import type { HookHost } from "../hook/dialect.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { findProgram } from "../settings/find-program.ts";
import type { ProgramCall } from "./run-process.ts";
import type { WiredCommand } from "./wired-commands.ts";

/** How an agent starts a command: through a shell of its choice, or as the program that it is. Undefined where that shell is not there. */
export function shellCall(
  host: HookHost,
  { command, file }: WiredCommand,
  place: AgentPlace,
  folder: string,
): Pick<ProgramCall, "file" | "words"> | undefined {
  if (host === "cline") return { file, words: [] };
  if (place.platform !== "win32") return { file: "/bin/sh", words: ["-c", command] };
  if (host !== "claude-code") {
    return { file: "powershell.exe", words: ["-NoProfile", "-NonInteractive", "-Command", command] };
  }
  const bash = findProgram("bash", place, folder);
  return bash === undefined ? undefined : { file: bash, words: ["-c", command] };
}
