import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "./is-inside.ts";

/**
 * The git that a shell would find, unless it lies in the workspace or is a link that leads there: `npm run` and `npx` put folders of the workspace on the
 * path, and what is in them was written by someone else.
 */
export function gitOnPath(env: NodeJS.ProcessEnv, root: string): string | undefined {
  const name = process.platform === "win32" ? "git.exe" : "git";
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, folder))
    .map((folder) => join(folder, name))
    .find((path) => isProgram(path) && !isInside(root, realpathSync(path)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
