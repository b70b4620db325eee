import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where a platform keeps what a program has to remember. */
export function stateHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, "doomloop");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "doomloop");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "doomloop", "State");
  return join(homedir(), ".local", "state", "doomloop");
}

/** The folder for one workspace: named by its real path, which it does not tell. */
export function workspaceState(home: string, root: string): string {
  return join(home, "workspaces", createHash("sha256").update(root).digest("hex").slice(0, 32));
}
