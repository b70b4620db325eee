import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readFault, UsageError } from "../system/usage-error.ts";

/**
 * The folder that is named, or the top of the repository around where we are, or where we are. A home folder is nobody's
 * workspace, even if it is a repository: everything would be in it.
 */
export function findRoot(named: string | undefined, current: string, home: string): string {
  if (named !== undefined) return realFolder(named, resolve(current, named));
  const here = realFolder(current, current);
  for (let folder = here; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  }
  return here;
}

function realFolder(named: string, path: string): string {
  try {
    const real = realpathSync(path);
    if (lstatSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UsageError(`${named}: ${readFault(error)}`, { cause: error });
  }
  throw new UsageError(`${named}: a folder is required`);
}
