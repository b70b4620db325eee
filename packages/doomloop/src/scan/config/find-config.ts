import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A module is run only if somebody names it: a checkout of somebody else's may hold one. */
const NAME = "doomloop.config.json";
const MAX_DEPTH = 64;

/**
 * The configuration that holds in a folder: its own, or that of the nearest folder above up to the root of the
 * repository or the home folder. Undefined if there is none.
 */
export function findConfig(from: string, home: string): string | undefined {
  let folder = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (existsSync(join(folder, NAME))) return join(folder, NAME);
    // What lies above belongs to others.
    if (folder === home || existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}
