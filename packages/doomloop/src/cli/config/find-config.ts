import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const NAMES = ["doomloop.config.json", "doomloop.config.ts"];
const MAX_DEPTH = 64;

/**
 * The configuration that holds in a folder: its own, or that of the nearest folder above up to the root of the
 * repository or the home folder. Undefined if there is none.
 */
export function findConfig(from: string, home: string): string | undefined {
  let folder = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    for (const name of NAMES) if (existsSync(join(folder, name))) return join(folder, name);
    // What lies above belongs to others: a file of theirs must not be run.
    if (folder === home || existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}
