import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../package-folder.ts";
import { UsageError } from "../usage-error.ts";

/** Where Node and the hook's program are, for commands that must still be right next month. */
export interface InstalledHook {
  readonly node: string;
  readonly program: string;
}

/** Finds them. Throws a `UsageError` where the package lies in a cache, from which it may vanish. */
export function installedHook(execPath = process.execPath): InstalledHook {
  // Untranspiled, the program stands beside this file.
  const name = import.meta.url.endsWith(".ts") ? "src/cli/hook/main.ts" : "dist/cli/hook/main.cjs";
  const program = fileURLToPath(new URL(name, packageFolder));
  if (/[\\/]_npx[\\/]/.test(program)) {
    throw new UsageError(
      "npx keeps doomloop in a cache that is emptied now and then; hooks need it to stay: npm install --global doomloop",
    );
  }
  return { node: lastingNode(execPath), program };
}

/** Whether it lies in the project that the user is in, or in another repository: then whoever works there can change it. */
export function isInProject({ program }: InstalledHook, folder: string): boolean {
  const way = relative(folder, program);
  if (!way.startsWith("..") && !isAbsolute(way)) return true;
  const at = program.search(/[\\/]node_modules[\\/]/);
  return at >= 0 && existsSync(join(program.slice(0, at), ".git"));
}

/** Homebrew puts each version into a folder of its own, and a link to the latest beside them. */
function lastingNode(execPath: string): string {
  const at = execPath.indexOf("/Cellar/");
  const link = at < 0 ? execPath : join(execPath.slice(0, at), "bin", "node");
  return existsSync(link) && realpathSync(link) === realpathSync(execPath) ? link : execPath;
}
