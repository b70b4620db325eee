import { resolve } from "node:path";
import { type GitFolders, gitFoldersOf } from "./git-folders.ts";
import { readPlainFile } from "./read-plain-file.ts";

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Names that lead out of the repository are none. */
const REF = /^ref: (refs\/[^\n]+)$/;
const MAX_LINKS = 5;
const MAX_PACKED_BYTES = 64 << 20;

/**
 * The commit that `HEAD` of the user's repository is at; undefined where there is none, or where it is kept in another way than in
 * files. It is read and not asked for: git would read the configuration of the repository first.
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
