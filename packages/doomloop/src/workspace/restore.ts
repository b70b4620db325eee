import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import { readFault } from "../system/usage-error.ts";
import { type Captured, stampOf, USUAL_FOLDER, usualPermissions } from "./capture.ts";
import { among, isOwnPath, lookAt, parentOf, splitRecords, withFoldersAbove } from "./paths.ts";
import type { SavedCheckpoint, Store } from "./store.ts";

/** A file that a restore changes, or would change. */
export interface RestoredFile {
  readonly path: string;
  /** What the restore does to the file. */
  readonly change: "created" | "deleted" | "changed";
  /** When somebody last changed it, in milliseconds since 1970. It tells your own edits from those of an agent that has ended. */
  readonly changedAt?: number;
}

/** A file that was not restored. */
export interface LeftFile {
  readonly path: string;
  /** The reason, worded to follow "left as it is: ". */
  readonly because: string;
}

interface PlannedFile extends RestoredFile {
  /** Its permissions after the restore. */
  readonly permissions: number;
  /** What shows that it has not changed since it was captured. Undefined if it is not there. */
  readonly stamp: string | undefined;
}

const NO_FILE = "000000";
/** On Linux, these paths lead into an open folder even if somebody moves it and puts a link in its place. */
const OPEN_FOLDERS = process.platform === "linux" && existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;

/**
 * Compares the workspace with a checkpoint, or only these paths and what is inside them. A restore touches no others than `files`, in this
 * order: deletions first, to make room. An undo also deletes files that are ignored or were left out, if the restore put them there.
 */
export async function planRestore(
  store: Store,
  captured: Captured,
  target: SavedCheckpoint,
  { only, isUndo }: { readonly only: readonly string[] | undefined; readonly isUndo: boolean },
): Promise<{ readonly files: readonly PlannedFile[]; readonly left: readonly LeftFile[] }> {
  const isAsked = only === undefined ? () => true : among(only);
  const differing = (await differingFiles(store, captured, target)).filter(({ path }) => isAsked(path));
  const isIgnored = isUndo ? new Set() : await ignoredPaths(store, target.checkpoint.id, differing);
  const wasThere = among(isUndo ? [] : target.others);
  const isThere = uncapturedAt(store, captured);
  const { nested, tooLarge, unreadable } = captured.leftOut;
  const unsaved = new Map<string, string>([
    ...nested.map((path) => [path, "it is now a separate repository"] as const),
    ...tooLarge.map((path) => [path, "it is too large to be saved first"] as const),
    ...unreadable.map((path) => [path, "it cannot be read, so it cannot be saved first"] as const),
  ]);
  const left = new Map<string, string>();
  const files = differing.filter(({ path, change }) => {
    const holder = withFoldersAbove(path).find((each) => unsaved.has(each));
    if (holder !== undefined) left.set(holder, unsaved.get(holder)!);
    else if (change !== "deleted" && isThere(path)) left.set(path, "something that git ignores is in its place");
    else if (change === "deleted" && wasThere(path))
      left.set(path, "it was left out of the checkpoint, or its folder was");
    else if (isIgnored.has(path)) left.set(path, "it is new, and git ignores it");
    else return true;
    return false;
  });
  const [deleted, others] = [true, false].map((is) => files.filter(({ change }) => (change === "deleted") === is));
  return { files: [...deleted!.reverse(), ...others!], left: [...left].map(([path, because]) => ({ path, because })) };
}

/** Tests whether something that was not captured is where a file would be put: in its place, in it as a folder, or above it. */
function uncapturedAt({ root }: Store, { others, stamps }: Captured): (path: string) => boolean {
  const withOthers = new Set(others.flatMap(withFoldersAbove));
  return (path) => {
    for (const each of withFoldersAbove(path).toReversed()) {
      const found = stamps.has(each) ? undefined : lookAt(`${root}/${each}`);
      if (found?.isDirectory() !== true) return found !== undefined;
    }
    return withOthers.has(path);
  };
}

/** Files whose content, kind or permissions differ. */
async function differingFiles({ git, root }: Store, { tree, permissions, stamps }: Captured, target: SavedCheckpoint) {
  const now = new Map(permissions);
  const then = new Map(target.permissions);
  const files = new Map<string, PlannedFile>();
  const plan = (path: string, change: RestoredFile["change"], usual?: number): void => {
    const found = lookAt(`${root}/${path}`);
    const own = then.get(path) ?? usual ?? (found === undefined ? 0o644 : usualPermissions(found));
    const changedAt = found === undefined || change === "created" ? {} : { changedAt: Math.round(found.ctimeMs) };
    files.set(path, { path, change, ...changedAt, permissions: own, stamp: stamps.get(path) });
  };
  const words = ["diff-tree", "-r", "-z", "--raw", "--no-renames", tree, target.checkpoint.id];
  const records = splitRecords(await git(words));
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [from, to] = records[at]!.slice(1).split(" ");
    const path = records[at + 1]!;
    const change = to === NO_FILE ? "deleted" : from === NO_FILE ? "created" : "changed";
    if (isOwnPath(path)) plan(path, change, to === "100755" ? 0o755 : 0o644);
  }
  for (const path of new Set([...now.keys(), ...then.keys()]))
    if (!files.has(path) && stamps.has(path) && now.get(path) !== then.get(path)) plan(path, "changed");
  return [...files.values()];
}

/** The files to delete that git ignores, by the rules of now or of the checkpoint: an agent may have changed them. */
async function ignoredPaths(store: Store, id: string, files: readonly PlannedFile[]): Promise<ReadonlySet<string>> {
  const { git, root } = store;
  // This command has no option for literal names. After `./`, special characters lose their meaning.
  const input = files.map(({ path, change }) => (change === "deleted" ? `./${path}\0` : "")).join("");
  const words = ["--no-literal-pathspecs", "check-ignore", "--no-index", "-z", "--stdin"];
  if (input === "") return new Set();
  const saved = splitRecords(await git(["ls-tree", "-r", "-z", "--name-only", id]));
  const rules = saved.filter((path) => basename(path) === ".gitignore");
  const places = [root, await checkOut(store, id, rules)].map((place) => [`--work-tree=${place}`, ...words]);
  const found = await Promise.all(places.map((each) => git(each, { input, emptyCode: 1 })));
  return new Set(found.flatMap(splitRecords).map((path) => path.slice(2)));
}

/** Writes files of a checkpoint into a folder of ours. */
async function checkOut({ git, scratch }: Store, id: string, paths: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(scratch, "files-"));
  const index = `${folder}.index`;
  await git(["read-tree", id], { index });
  const input = paths.map((path) => `${path}\0`).join("");
  await git(["checkout-index", "-z", "--stdin", `--prefix=${folder}/`], { index, input });
  return folder;
}

/** Carries out a plan, file by file. Returns what it left as it is. Whatever happens to it, it can be done again. */
export async function putBack(
  store: Store,
  files: readonly PlannedFile[],
  { checkpoint, permissions }: SavedCheckpoint,
): Promise<readonly LeftFile[]> {
  const { root } = store;
  const folders = new Map(permissions);
  const left: LeftFile[] = [];
  const wanted = files.filter(({ change }) => change !== "deleted").map(({ path }) => path);
  const stage = await checkOut(store, checkpoint.id, wanted);
  for (const file of files) {
    const { path } = file;
    const isDeleted = file.change === "deleted";
    const work = (place: string) => replaceFile(file, `${place}/${basename(path)}`, `${stage}/${path}`);
    try {
      const because = inFolder(root, parentOf(path), isDeleted ? undefined : folders, work);
      if (because !== undefined) left.push({ path, because });
    } catch (error) {
      // A file in a folder that is gone need not be deleted.
      if (!isDeleted || (error as NodeJS.ErrnoException).code !== "ENOENT")
        left.push({ path, because: readFault(error) });
    }
    if (isDeleted) removeEmptyFolders(root, parentOf(path), checkpoint.at);
  }
  return left;
}

/** Puts a staged file in the place of another, or deletes that. Returns why it was left as it is, if it was. */
function replaceFile({ change, permissions, stamp }: PlannedFile, own: string, staged: string): string | undefined {
  const found = lookAt(own);
  const isFolder = found?.isDirectory() === true;
  if (!isFolder && (found && stampOf(found)) !== stamp) return "somebody has changed it in the meantime";
  try {
    if (isFolder) rmdirSync(own);
  } catch {
    return "a folder is in its place";
  }
  if (change === "deleted") {
    if (found !== undefined && !isFolder) rmSync(own);
    return undefined;
  }
  if (!lstatSync(staged).isSymbolicLink()) chmodSync(staged, permissions);
  try {
    renameSync(staged, own);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // The checkpoints are on another disk.
    rmSync(own, { force: true });
    cpSync(staged, own, { verbatimSymlinks: true });
  }
  return undefined;
}

/**
 * Does something in a folder of the workspace, which it opens name by name and without following a link. With `permissions`, missing
 * folders are created. Not on Linux, an agent that is still running could put a link in between.
 */
function inFolder<Result>(
  root: string,
  folder: string,
  permissions: ReadonlyMap<string, number> | undefined,
  work: (place: string) => Result,
): Result {
  const open: number[] = [];
  let place = root;
  try {
    for (const each of withFoldersAbove(folder).toReversed()) {
      const path = `${place}/${basename(each)}`;
      const isNew = permissions !== undefined && lookAt(path) === undefined;
      if (isNew) mkdirSync(path);
      if (!lstatSync(path).isDirectory()) throw new Error(`${basename(each)} was a folder and is a link or a file now`);
      if (OPEN_FOLDERS !== undefined) open.push(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      place = OPEN_FOLDERS === undefined ? path : `${OPEN_FOLDERS}/${open.at(-1)}`;
      // The owner needs all rights, because a file will be put into the folder.
      if (isNew) chmodSync(place, (permissions.get(each) ?? USUAL_FOLDER) | 0o700);
    }
    return work(place);
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}

/** Removes the folders that a deletion emptied, the innermost first, unless they are older than the checkpoint. */
function removeEmptyFolders(root: string, emptied: string, since: number): void {
  for (const folder of withFoldersAbove(emptied)) {
    try {
      if ((lookAt(`${root}/${folder}`)?.birthtimeMs ?? since) < since) return;
      inFolder(root, parentOf(folder), undefined, (place) => rmdirSync(`${place}/${basename(folder)}`));
    } catch (error) {
      // An interrupted restore may have removed it already.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
    }
  }
}
