import { join } from "node:path";
import type { AgentPlace, AgentSettings } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";

const NOTE = "// Written by doomloop init; doomloop uninstall removes it.\n";

const BEGIN = `${NOTE}export const doomloop = async (input) => {
  try {
    return await `;

// Without the package, the agent goes on as if this file were not there.
const END = `(input);
  } catch {
    return {};
  }
};
`;

/** opencode: a module of our own among its plugins, which it loads into its own process. */
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
  notes: () => ["sessions that are open already go on without it."],
};

/** On Windows, too, it is a folder of the home folder. */
function folder({ env, home }: AgentPlace): string {
  return env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

/** The module that opencode loads. What it calls lies in the package, so that an update of that is one of the plugin. */
function pluginModule(call: string): string {
  return `${BEGIN}${call}${END}`;
}

/** The call in such a module; undefined for a module of somebody else. */
export function callInModule(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const call = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(call) ? call : undefined;
}
