import { homedir } from "node:os";
import { join } from "node:path";

/** The facts that decide where a program keeps its state. */
export interface StateFolderPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home?: string;
}

/** The folder for state of the command line and the hooks. It is not a cache, and is useless on another machine. */
export function stateFolder({ env, platform, home = homedir() }: StateFolderPlace): string {
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, "doomloop");
  if (platform === "darwin") return join(home, "Library", "Application Support", "doomloop");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "doomloop", "State");
  return join(home, ".local", "state", "doomloop");
}
