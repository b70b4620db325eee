import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTarball } from "./package/tarball.ts";

/**
 * Puts the files of a tarball into a folder, and removes all others but git's own: `node scripts/write-marketplace.ts TARBALL FOLDER`.
 *
 * The package is a marketplace with one plugin, for several agents. They fetch a marketplace with git, so a release commits it to a branch.
 */
const [tarball, folder] = process.argv.slice(2);
if (tarball === undefined || folder === undefined)
  throw new Error("write-marketplace: a tarball and a folder are required");
const root = resolve(folder);
mkdirSync(root, { recursive: true });
for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true });
for (const { path, content } of readTarball(resolve(tarball))) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
