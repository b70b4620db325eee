import { join } from "node:path";
import type { AgentPlace, AgentSettings } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";

const NOTE = "// Written by doomloop init; doomloop uninstall removes it.\n";

const BEGIN = `${NOTE}export const doomloop = async (input) => {
  try {
    return await `;

// If the package is gone, the agent carries on as if this file did not exist.
const END = `(input);
  } catch {
    return {};
  }
};
`;

/** opencode loads each module in its folder of plugins into its own process. */
export const opencodeSettings: AgentSettings = {
  program: "opencode",
  folder,
  files: (place, { command }) => [
    {
      type: "own",
      path: join(folder(place), "plugins", "doomloop.js"),
      text: pluginModule(command("javascript")),
      isProgram: false,
    },
  ],
  isOwnFile: (text) => callInModule(text) !== undefined,
  notes: () => ["sessions that are already open go on without it."],
};

/** On Windows, too, the folder is below the home folder. */
function folder({ env, home }: AgentPlace): string {
  return env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

/** The module that opencode loads. It calls the package, so that an update of the package updates the plugin. */
function pluginModule(call: string): string {
  return `${BEGIN}${call}${END}`;
}

/** The call in such a module. Undefined for somebody else's module. */
export function callInModule(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const call = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(call) ? call : undefined;
}
