import { accessSync, constants, type Stats } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isForbidden, lookAt, modeOf, permissionsOf, usualPermissions } from "./file-version.ts";
import type { ListedFiles } from "./list-files.ts";
import { USUAL_FOLDER } from "./open-folder.ts";
import { isOwnPath, parentOf, pathIn, type RawPath } from "./raw-path.ts";
import { isOwnRepository } from "./user-repositories.ts";

/** The state of all files, for the next checkpoint. */
export interface Survey {
  /** Files whose content must be read. */
  readonly changed: readonly RawPath[];
  /** Files that were touched although git takes them for unchanged. It compares whole seconds only. */
  readonly touched: readonly RawPath[];
  /** Files that are gone. */
  readonly removed: readonly RawPath[];
  /** The number of files in the checkpoint. */
  readonly files: number;
  /** Permissions of files that differ from the usual ones, and of folders that are narrower. */
  readonly permissions: ReadonlyMap<RawPath, number>;
  readonly tooLarge: readonly RawPath[];
  /** Files, and folders that this user may not look into. */
  readonly unreadable: readonly RawPath[];
  /** Folders with a repository of their own. */
  readonly nested: readonly RawPath[];
}

export interface SurveyOptions {
  readonly maxFileBytes: number;
  /** When the last survey began. Files touched later may have changed. */
  readonly sinceMs: number;
  /** New files to leave out, because the checkpoint left them out and a restore does not touch them. */
  readonly isLeftOut: (path: RawPath) => boolean;
}

/** `closed`: this user may not look into the folder. */
type FolderKind = "plain" | "nested" | "closed" | "none";

const TURN = 2000;
/** The time stamps of file systems are not finer than this. */
const CLOCK_TICK_MS = 20;
const HAS_PERMISSIONS = process.platform !== "win32";

/** Looks at every file that git listed. It follows no links, because what they lead to is not part of the workspace. */
export async function surveyFiles(root: string, listed: ListedFiles, options: SurveyOptions): Promise<Survey> {
  const { maxFileBytes, sinceMs, isLeftOut } = options;
  const kinds = new Map<RawPath, FolderKind>([["", "plain"]]);
  const nested = new Set(listed.nested);
  const changed: RawPath[] = [];
  const touched: RawPath[] = [];
  const removed: RawPath[] = [];
  const permissions = new Map<RawPath, number>();
  const tooLarge: RawPath[] = [];
  const unreadable: RawPath[] = [];
  let files = 0;
  let looks = 0;

  for (const [path, { isKnown, isChanged }] of listed.files) {
    if (++looks % TURN === 0) await nextTurn();
    if (!isOwnPath(path)) continue;
    const folder = kindOf(root, parentOf(path), { kinds, nested, closed: unreadable, permissions });
    if (!isKnown && (folder === "nested" || folder === "closed" || isLeftOut(path))) continue;
    if (folder === "closed") {
      // It stays as the last checkpoint has it.
      files++;
      continue;
    }
    const found = folder === "none" ? undefined : lookAt(pathIn(root, path));
    const mode = found === undefined ? undefined : modeOf(found);
    if (found === undefined || mode === undefined) {
      if (isKnown && folder !== "nested") removed.push(path);
      continue;
    }
    // A file inside a newly made repository stays as the last checkpoint has it.
    const isTouched = !isChanged && found.ctimeMs >= sinceMs - CLOCK_TICK_MS;
    const isNew = (isChanged || isTouched) && folder === "plain";
    if (isNew && found.isFile() && found.size > maxFileBytes) tooLarge.push(path);
    else if (isNew && !isReadable(root, path, found)) unreadable.push(path);
    else {
      files++;
      if (isNew) (isTouched ? touched : changed).push(path);
      const own = permissionsOf(found);
      if (HAS_PERMISSIONS && mode !== "120000" && own !== usualPermissions(mode)) permissions.set(path, own);
    }
  }
  return { changed, touched, removed, files, permissions, tooLarge, unreadable, nested: [...nested] };
}

interface SeenFolders {
  readonly kinds: Map<RawPath, FolderKind>;
  readonly nested: Set<RawPath>;
  readonly closed: RawPath[];
  readonly permissions: Map<RawPath, number>;
}

/** Looks at a folder and its parents, each of them once. */
function kindOf(root: string, folder: RawPath, { kinds, nested, closed, permissions }: SeenFolders): FolderKind {
  const unknown: RawPath[] = [];
  for (let at = folder; !kinds.has(at); at = parentOf(at)) unknown.push(at);
  for (const each of unknown.reverse()) {
    const above = kinds.get(parentOf(each))!;
    const found = above === "plain" ? lookAt(pathIn(root, each)) : undefined;
    const kind = above === "plain" ? folderKind(root, each, found) : above;
    const own = found === undefined ? USUAL_FOLDER : permissionsOf(found);
    if (HAS_PERMISSIONS && kind === "plain" && own !== USUAL_FOLDER) permissions.set(each, own);
    if (kind === "nested" && above === "plain") nested.add(each);
    if (kind === "closed" && above === "plain") closed.push(each);
    kinds.set(each, kind);
  }
  return kinds.get(folder)!;
}

function folderKind(root: string, folder: RawPath, found: Stats | undefined): FolderKind {
  if (found?.isDirectory() !== true) return "none";
  try {
    return isOwnRepository(root, folder) ? "nested" : "plain";
  } catch (error) {
    if (isForbidden(error)) return "closed";
    throw error;
  }
}

function isReadable(root: string, path: RawPath, found: Stats): boolean {
  if (found.isSymbolicLink()) return true;
  try {
    accessSync(pathIn(root, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
