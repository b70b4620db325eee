import { isAbsolute, join } from "node:path";
import { homeFolder } from "./home-folder.ts";

/** The facts that decide where a program keeps its state. */
export interface StateFolderPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home?: string;
}

/**
 * The folder for state of the command line and the hooks. It is not a cache, and is useless on another machine.
 *
 * A relative path in the environment is ignored, as the standard for these variables asks: it would lead into whatever folder a program is
 * started in, such as a cloned repository.
 */
export function stateFolder({ env, platform, home = homeFolder() }: StateFolderPlace): string {
  const { XDG_STATE_HOME: named = "", LOCALAPPDATA: local = "" } = env;
  if (isAbsolute(named)) return join(named, "doomloop");
  if (platform === "darwin") return join(home, "Library", "Application Support", "doomloop");
  if (platform === "win32")
    return join(isAbsolute(local) ? local : join(home, "AppData", "Local"), "doomloop", "State");
  return join(home, ".local", "state", "doomloop");
}
