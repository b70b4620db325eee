import { type RawPath, splitRecords } from "./raw-path.ts";
import type { Git } from "./run-git.ts";

interface ListedFile {
  /** An earlier checkpoint has it. */
  readonly isKnown: boolean;
  /** It is not as the earlier checkpoint has it. */
  readonly isChanged: boolean;
}

export interface ListedFiles {
  readonly files: ReadonlyMap<RawPath, ListedFile>;
  /** Folders with a repository of their own, which git does not look into. */
  readonly nested: readonly RawPath[];
}

/** What git calls files that are not in the index, have changed, or are gone. */
const NEW = "?";
const CHANGED = "C";
const GONE = "R";

/** Lists the files that a checkpoint is about: all that are known or named, and all others that are not ignored. */
export async function listFiles(git: Git, index: string, named: readonly RawPath[]): Promise<ListedFiles> {
  const words = ["ls-files", "-z", "-t", "--cached", "--others", "--modified", "--deleted", "--exclude-standard"];
  const files = new Map<RawPath, ListedFile>();
  const nested: RawPath[] = [];
  for (const record of splitRecords(await git.run(words, { index }))) {
    const tag = record.charAt(0);
    const path = record.slice(2);
    if (path.endsWith("/")) nested.push(path.slice(0, -1));
    else {
      const isChanged = tag === NEW || tag === CHANGED || tag === GONE;
      files.set(path, { isKnown: tag !== NEW, isChanged: isChanged || files.get(path)?.isChanged === true });
    }
  }
  for (const path of named) if (!files.has(path)) files.set(path, { isKnown: false, isChanged: true });
  return { files, nested };
}
