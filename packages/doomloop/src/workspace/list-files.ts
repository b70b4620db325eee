import { readdirSync } from "node:fs";
import { isForbidden, lookAt } from "./file-version.ts";
import { pathIn, type RawPath, splitRecords } from "./raw-path.ts";
import type { Git } from "./run-git.ts";
import { isOwnRepository } from "./user-repositories.ts";

/** A folder with more entries is listed as a whole. */
const MAX_LOOKS = 256;

interface ListedFile {
  /** Whether an earlier checkpoint has the file. */
  readonly isKnown: boolean;
  /** Whether the file differs from that checkpoint. */
  readonly isChanged: boolean;
}

export interface ListedFiles {
  readonly files: ReadonlyMap<RawPath, ListedFile>;
  /** Folders with a repository of their own, which git does not enter. */
  readonly nested: readonly RawPath[];
}

/** Git's tags for files that are not in the index, have changed, or are gone. */
const NEW = "?";
const CHANGED = "C";
const GONE = "R";

/** Lists the files for a checkpoint: all that are known or named, and all others that are not ignored. */
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

/** What is in the workspace and not in the checkpoint. */
export interface LeftOut {
  /** Files, and whole folders (these end with `/`). */
  readonly paths: readonly RawPath[];
  /** Folders without any file. */
  readonly empty: readonly RawPath[];
}

/**
 * Finds what the checkpoint does not have. It records the files themselves instead of the ignore rules, because the rules may
 * have changed by the time a restore asks whether a file existed at the checkpoint.
 */
export async function findLeftOut(git: Git, root: string, index: string): Promise<LeftOut> {
  const listed = splitRecords(await git.run(["ls-files", "-z", "--others", "--directory"], { index }));
  const paths: RawPath[] = [];
  const empty: RawPath[] = [];
  for (const path of listed) {
    const inside = path.endsWith("/") ? lookInto(root, path) : { paths: [path], empty: [] };
    paths.push(...inside.paths);
    empty.push(...inside.empty);
  }
  return { paths, empty };
}

/** Lists the files of a folder one by one if there are few. A repository is listed as a whole. */
function lookInto(root: string, folder: RawPath): LeftOut {
  const whole = { paths: [folder], empty: [] };
  const paths: RawPath[] = [];
  const empty: RawPath[] = [];
  const open = [folder];
  let looks = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = entriesOf(root, at);
    looks += 1 + (entries?.length ?? 0);
    if (entries === undefined || looks > MAX_LOOKS) return whole;
    if (entries.length === 0) empty.push(at.slice(0, -1));
    if (isClosed(root, at) || isOwnRepository(root, at.slice(0, -1))) {
      paths.push(at);
      continue;
    }
    for (const entry of entries) {
      const name = entry.name.toString("latin1");
      if (entry.isDirectory()) open.push(`${at}${name}/`);
      else paths.push(`${at}${name}`);
    }
  }
  return { paths, empty };
}

function entriesOf(root: string, folder: RawPath) {
  try {
    return readdirSync(pathIn(root, folder.slice(0, -1)), { withFileTypes: true, encoding: "buffer" });
  } catch {
    return undefined;
  }
}

/** Whether a folder can be listed, but its files cannot be looked at. */
function isClosed(root: string, folder: RawPath): boolean {
  try {
    lookAt(pathIn(root, `${folder}.git`));
    return false;
  } catch (error) {
    return isForbidden(error);
  }
}
