import { join } from "node:path";
import type { AgentPlace, AgentWiring } from "../settings/agent-settings.ts";
import { pluginModule } from "./plugin-module.ts";

/** opencode: a module of our own among its plugins, which it loads into its own process. */
export const opencode: AgentWiring = {
  host: "opencode",
  label: "opencode",
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
  notes: () => ["sessions that are open already go on without it."],
};

/** On Windows, too, it is a folder of the home folder. */
function folder({ env, home }: AgentPlace): string {
  return env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}
