import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const MAX_BYTES = 1 << 20;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * Patterns of ignored files that stand outside the workspace's `.gitignore`: those of the user's repository, and those of
 * files that the caller names. They are patterns and nothing else: no configuration is read.
 */
export function excludePatterns(root: string, ignoreFiles: readonly string[]): string {
  const gitFolder = gitFolderOf(root);
  const own = gitFolder === undefined ? [] : [resolve(gitFolder, "info/exclude")];
  // Later patterns win, and those of the repository are the closer ones.
  return [...ignoreFiles, ...own].map((path) => `${readPlainFile(path) ?? ""}\n`).join("");
}

/** The folder where the user's repository has what all its work trees share. */
function gitFolderOf(root: string): string | undefined {
  const place = resolve(root, ".git");
  const link = readPlainFile(place);
  if (link === undefined) return place;
  const [, target] = /^gitdir: ([^\n]+)/.exec(link) ?? [];
  if (target === undefined) return undefined;
  const folder = resolve(root, target);
  const shared = readPlainFile(resolve(folder, "commondir"))?.trim();
  return shared === undefined || shared === "" ? folder : resolve(folder, shared);
}

/** The text of a plain file that is not too long; undefined if there is no such file. */
function readPlainFile(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(descriptor, "utf8") : undefined;
  } finally {
    closeSync(descriptor);
  }
}
