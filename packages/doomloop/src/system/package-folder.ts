import { existsSync, readFileSync } from "node:fs";

/** The folder of this package. This file may run as it is written, or as a part of any bundled file, so the folder is searched upwards. */
export const packageFolder: URL = findPackageFolder(new URL("../cli/", import.meta.url));

function findPackageFolder(folder: URL): URL {
  if (existsSync(new URL("package.json", folder))) return folder;
  const parent = new URL("../", folder);
  if (parent.href === folder.href) throw new Error("the folder of the package is not above its code");
  return findPackageFolder(parent);
}

/** The version of this package. */
export function packageVersion(): string {
  const file = readFileSync(new URL("package.json", packageFolder), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}
