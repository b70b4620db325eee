import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";

/**
 * The git that a shell would find, unless it lies in the workspace: `npm run` and `npx` put folders of the workspace on the
 * path, and what is in them was written by someone else.
 */
export function gitOnPath(env: NodeJS.ProcessEnv, root: string): string | undefined {
  const name = process.platform === "win32" ? "git.exe" : "git";
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
