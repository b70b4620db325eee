import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lookAt } from "./file-version.ts";
import { pathIn, type RawPath } from "./raw-path.ts";

/** Folders of every git directory. */
const PARTS = ["objects", "refs"];
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Names outside `refs/` are not followed. */
const REF = /^ref: (refs\/[^\n]+)$/;
const MAX_LINKS = 5;
const MAX_PACKED_BYTES = 64 << 20;
const MAX_BYTES = 1 << 20;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * Whether a folder is a work tree of its own, or a git directory under any name, such as a bare repository or the one that a
 * `.git` file points to. Restoring files in a git directory could make commits vanish.
 */
export function isOwnRepository(root: string, folder: RawPath): boolean {
  return lookAt(pathIn(root, `${folder}/.git`)) !== undefined || isGitDirectory(root, `${folder}/`);
}

/** Whether a folder is a git directory. Its path ends with `/`, or is empty for the root. */
export function isGitDirectory(root: string, folder: RawPath): boolean {
  const head = lookAt(pathIn(root, `${folder}HEAD`));
  return head !== undefined && !head.isDirectory() && PARTS.every((name) => isFolder(root, `${folder}${name}`));
}

/** Git follows links to these, so a link counts, too. */
function isFolder(root: string, path: RawPath): boolean {
  const found = lookAt(pathIn(root, path));
  return found !== undefined && (found.isDirectory() || found.isSymbolicLink());
}

/** The git directories of the user's repository. */
interface GitFolders {
  /** The directory of this work tree. */
  readonly own: string;
  /** The directory that all its work trees share; often the same one. */
  readonly shared: string;
}

/** Finds the git directories of a workspace by reading `.git`; undefined if it points nowhere. */
function gitFoldersOf(root: string): GitFolders | undefined {
  const place = resolve(root, ".git");
  const link = readPlainFile(place);
  if (link === undefined) return { own: place, shared: place };
  const [, target] = /^gitdir: ([^\n]+)/.exec(link) ?? [];
  if (target === undefined) return undefined;
  const own = resolve(root, target.trimEnd());
  const shared = readPlainFile(resolve(own, "commondir"))?.trim();
  return { own, shared: shared === undefined || shared === "" ? own : resolve(own, shared) };
}

/**
 * Ignore patterns from outside the workspace's `.gitignore` files: those of the user's repository, and those of the files that
 * the caller names. Only patterns are read, no configuration.
 */
export function excludePatterns(root: string, ignoreFiles: readonly string[]): string {
  const folders = gitFoldersOf(root);
  const own = folders === undefined ? [] : [resolve(folders.shared, "info/exclude")];
  // Later patterns win, and those of the repository take precedence.
  return [...ignoreFiles, ...own].map((path) => `${readPlainFile(path) ?? ""}\n`).join("");
}

/**
 * The commit of `HEAD` in the user's repository; undefined if there is none, or if refs are not kept in files. The files are read
 * without running git, which would read the repository's configuration.
 */
export function headCommit(root: string): string | undefined {
  const folders = gitFoldersOf(root);
  if (folders === undefined) return undefined;
  let text = readPlainFile(resolve(folders.own, "HEAD"))?.trim();
  for (let links = 0; text !== undefined && links < MAX_LINKS; links++) {
    if (COMMIT.test(text)) return text;
    const [, name] = REF.exec(text) ?? [];
    if (name === undefined || name.split("/").includes("..")) return undefined;
    text = readRef(folders, name);
  }
  return undefined;
}

function readRef({ own, shared }: GitFolders, name: string): string | undefined {
  const loose = readPlainFile(resolve(own, name)) ?? readPlainFile(resolve(shared, name));
  if (loose !== undefined) return loose.trim();
  const packed = `\n${readPlainFile(resolve(shared, "packed-refs"), MAX_PACKED_BYTES) ?? ""}`;
  const end = packed.indexOf(` ${name}\n`);
  return end < 0 ? undefined : packed.slice(packed.lastIndexOf("\n", end) + 1, end);
}

/** The text of a regular file up to `maxBytes`; undefined if there is no such file. */
function readPlainFile(path: string, maxBytes: number = MAX_BYTES): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && found.size <= maxBytes ? readFileSync(descriptor, "utf8") : undefined;
  } finally {
    closeSync(descriptor);
  }
}
