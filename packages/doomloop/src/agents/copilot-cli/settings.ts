import { join } from "node:path";
import type { AgentPlace, AgentSettings } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import { parseStrictJson } from "../settings/json-text.ts";

const EVENTS = ["userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "agentStop"];

/** Copilot CLI reads each file in its folder of hooks. Ours has a command for each of two shells. */
export const copilotCliSettings: AgentSettings = {
  program: "copilot",
  folder,
  files(place, { command, seconds }) {
    const handler = {
      type: "command",
      bash: command("posix"),
      ...(place.platform === "win32" && { powershell: command("powershell") }),
      timeoutSec: seconds,
    };
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [handler]]));
    const text = `${JSON.stringify({ version: 1, hooks }, undefined, 2)}\n`;
    return [{ type: "own", path: join(folder(place), "hooks", "doomloop.json"), text, isProgram: false }];
  },
  isOwnFile(text) {
    const commands = [...text.matchAll(/"bash": ("[^\n]{1,2000}")/g)].map(([, command]) => parseStrictJson(command!));
    return commands.length > 0 && commands.every(isOwnCommand);
  },
  notes: () => [],
};

function folder({ env, home }: AgentPlace): string {
  return env.COPILOT_HOME || join(home, ".copilot");
}
