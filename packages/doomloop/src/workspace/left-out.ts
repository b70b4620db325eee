import { readdirSync } from "node:fs";
import { isForbidden, lookAt } from "./file-version.ts";
import { isOwnRepository } from "./own-repository.ts";
import { pathIn, type RawPath, splitRecords } from "./raw-path.ts";
import type { Git } from "./run-git.ts";

/** What lies in the workspace and is in no checkpoint. */
export interface LeftOut {
  /** Files, and folders with all that is in them (these end with `/`). */
  readonly paths: readonly RawPath[];
  /** Folders without any file. */
  readonly empty: readonly RawPath[];
}

/** A folder with more in it is left out as a whole. */
const MAX_LOOKS = 256;

/**
 * Finds what the checkpoint does not have, by looking at what is there and not at rules: rules may have changed when a
 * restore asks whether a file was there before.
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

/** The files of a folder one by one where they are few. A repository stays whole. */
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

/** A folder that can be listed, and no more. */
function isClosed(root: string, folder: RawPath): boolean {
  try {
    lookAt(pathIn(root, `${folder}.git`));
    return false;
  } catch (error) {
    return isForbidden(error);
  }
}
