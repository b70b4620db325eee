import { createHash } from "node:crypto";
import { join } from "node:path";

/** The folder for one workspace: named by its real path, which it does not tell. */
export function workspaceState(home: string, root: string): string {
  return join(home, "workspaces", createHash("sha256").update(root).digest("hex").slice(0, 32));
}
