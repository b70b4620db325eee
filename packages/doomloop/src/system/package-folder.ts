import { existsSync, readFileSync } from "node:fs";

/** The folder of this package. This file may run from the sources or inside a bundle, so the folder is searched upwards. */
export const packageFolder: URL = findPackageFolder(new URL("../cli/", import.meta.url));

function findPackageFolder(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder;
  const parent = new URL("../", folder);
  if (parent.href === folder.href) throw new Error("cannot find the package.json of doomloop above its code");
  return findPackageFolder(parent);
}

/** The version of this package. */
export function packageVersion(): string {
  const file = readFileSync(new URL("package.json", packageFolder), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}
