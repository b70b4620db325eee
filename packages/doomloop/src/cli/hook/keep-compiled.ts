import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { makePrivateFolder } from "../../hooks/journal/private-folder.ts";

/** Below the folder of what hooks keep. */
const COMPILED = "compiled";

/**
 * Lets Node keep what it has compiled, so that the next event of an agent does not wait for it again. What lies there is run: it is kept
 * where only the user can write, or not at all.
 */
export function keepCompiled(state: string): void {
  try {
    const folder = join(state, COMPILED);
    makePrivateFolder(state);
    makePrivateFolder(folder);
    enableCompileCache(folder);
  } catch {
    // It takes a little longer.
  }
}
