import { resolve } from "node:path";
import { readPlainFile } from "./read-plain-file.ts";

/** Where the user's repository is. */
export interface GitFolders {
  /** What this work tree alone has. */
  readonly own: string;
  /** What all its work trees share; often the same. */
  readonly shared: string;
}

/** Finds the repository of a workspace by reading where `.git` leads; undefined if it leads nowhere. */
export function gitFoldersOf(root: string): GitFolders | undefined {
  const place = resolve(root, ".git");
  const link = readPlainFile(place);
  if (link === undefined) return { own: place, shared: place };
  const [, target] = /^gitdir: ([^\n]+)/.exec(link) ?? [];
  if (target === undefined) return undefined;
  const own = resolve(root, target.trimEnd());
  const shared = readPlainFile(resolve(own, "commondir"))?.trim();
  return { own, shared: shared === undefined || shared === "" ? own : resolve(own, shared) };
}
