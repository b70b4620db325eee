import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";

/**
 * Gives every file that is published the same rights. A tarball keeps them, and they would otherwise be those that the umask of
 * whoever cloned the repository leaves: the same source would make another tarball.
 */
export function settleModes(): void {
  const { files } = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as { files: string[] };
  for (const name of ["package.json", ...files]) settle(join(packageHome, name));
}

function settle(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(path)) settle(join(path, name));
}
