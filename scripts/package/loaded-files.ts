import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A built file and those that it loads at once, in the order in which it asks for them. What is imported later does not count. */
export function loadedFiles(file: string, loaded: Set<string> = new Set()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  if (!existsSync(file)) throw new Error(`a build is required (npm run build), ${file} is missing`);
  loaded.add(file);
  const code = readFileSync(file, "utf8");
  for (const [, target = ""] of code.matchAll(/^(?:import|export) (?:[^"\n]*? from )?"(\.[^"\n]+)";$/gm)) {
    loadedFiles(join(dirname(file), target), loaded);
  }
  return loaded;
}
