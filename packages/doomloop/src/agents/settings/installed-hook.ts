import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { UsageError } from "../../system/usage-error.ts";

/** Where Node and the hook's program are, for commands that must still be right next month. */
export interface InstalledHook {
  readonly node: string;
  readonly program: string;
}

/** Finds them. Throws a `UsageError` where the package lies in a cache, from which it may vanish. */
export function installedHook(execPath = process.execPath): InstalledHook {
  // Untranspiled, the program stands beside this file.
  const name = import.meta.url.endsWith(".ts")
    ? "src/agents/hook-program/main.ts"
    : "dist/agents/hook-program/main.cjs";
  const program = fileURLToPath(new URL(name, packageFolder));
  if (/[\\/]_npx[\\/]/.test(program)) {
    throw new UsageError(
      "npx keeps doomloop in a cache that is emptied now and then; hooks need it to stay: npm install --global doomloop",
    );
  }
  return { node: lastingNode(execPath), program };
}

/** Whether it lies in a project, as a dependency or as its source: then whoever works there can change it. A global folder is none. */
export function isInProject({ program }: InstalledHook): boolean {
  const at = program.search(/[\\/]node_modules[\\/]/);
  if (at < 0) return true;
  const holder = program.slice(0, at);
  return [".git", "package.json"].some((name) => existsSync(join(holder, name)));
}

/** Homebrew puts each version into a folder of its own, and a link to the latest beside them. */
function lastingNode(execPath: string): string {
  const at = execPath.indexOf("/Cellar/");
  const link = at < 0 ? execPath : join(execPath.slice(0, at), "bin", "node");
  return existsSync(link) && realpathSync(link) === realpathSync(execPath) ? link : execPath;
}
