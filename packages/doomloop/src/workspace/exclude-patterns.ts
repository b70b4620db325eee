import { resolve } from "node:path";
import { gitFoldersOf } from "./git-folders.ts";
import { readPlainFile } from "./read-plain-file.ts";

/**
 * Patterns of ignored files that stand outside the workspace's `.gitignore`: those of the user's repository, and those of
 * files that the caller names. They are patterns and nothing else: no configuration is read.
 */
export function excludePatterns(root: string, ignoreFiles: readonly string[]): string {
  const folders = gitFoldersOf(root);
  const own = folders === undefined ? [] : [resolve(folders.shared, "info/exclude")];
  // Later patterns win, and those of the repository are the closer ones.
  return [...ignoreFiles, ...own].map((path) => `${readPlainFile(path) ?? ""}\n`).join("");
}
