import { lookAt } from "./file-version.ts";
import { pathIn, type RawPath } from "./raw-path.ts";

/**
 * Whether a folder is a work tree of its own, or a git directory under whatever name: a bare repository, or the one that a
 * `.git` file leads to. Files that are put back there would be commits that vanish.
 */
export function isOwnRepository(root: string, folder: RawPath): boolean {
  return lookAt(pathIn(root, `${folder}/.git`)) !== undefined || isGitDirectory(root, `${folder}/`);
}

/** Whether a folder is a git directory. Its path ends with `/`, or is empty for the root. */
export function isGitDirectory(root: string, folder: RawPath): boolean {
  const head = lookAt(pathIn(root, `${folder}HEAD`));
  return head !== undefined && !head.isDirectory() && PARTS.every((name) => isFolder(root, `${folder}${name}`));
}

const PARTS = ["objects", "refs"];

/** Git follows links here. */
function isFolder(root: string, path: RawPath): boolean {
  const found = lookAt(pathIn(root, path));
  return found !== undefined && (found.isDirectory() || found.isSymbolicLink());
}
