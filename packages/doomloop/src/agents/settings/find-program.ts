import { statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import type { AgentPlace } from "./agent-settings.ts";

/** Where a program is, on the path. Folders below the one we are in are passed over: what is in a repository is not ours to run. */
export function findProgram(name: string, { env, platform }: AgentPlace, folder: string): string | undefined {
  const names = platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const entry of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    if (!isAbsolute(entry) || isWithin(folder, entry)) continue;
    const found = names.map((one) => join(entry, one)).find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
