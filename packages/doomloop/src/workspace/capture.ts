import { accessSync, constants, existsSync, renameSync, type Stats, utimesSync } from "node:fs";
import { join } from "node:path";
import { among, isOwnPath, isRepository, lookAt, NO_TEXT, parentOf, splitRecords, withFoldersAbove } from "./paths.ts";
import { followRepository, type LeftOutSummary, type SavedCheckpoint, type Store, savedCheckpoints } from "./store.ts";

/** The workspace at one moment, with all its files in the repository of checkpoints. */
export interface Captured extends Omit<SavedCheckpoint, "checkpoint"> {
  readonly tree: string;
  readonly leftOut: LeftOutSummary;
  /** The commit of `HEAD` in the user's repository. */
  readonly head: string | undefined;
  /** All files in it, each with what shows that it was changed since. */
  readonly stamps: ReadonlyMap<string, string>;
}

interface CaptureOptions {
  readonly maxFileBytes: number;
  readonly ignoreFiles: readonly string[];
  /** Files and folders that are not copied unless an earlier checkpoint has them. */
  readonly spared: readonly string[];
  /** Files to include even if they are ignored or spared, because the latest restore put them there. */
  readonly own: readonly string[];
}

const HAS_PERMISSIONS = process.platform !== "win32";
export const USUAL_FOLDER = 0o755;
const PERMISSIONS = 0o777;
/** Lists what is not in the index: `??` new, `!!` ignored. It writes no index. */
const STATUS = ["--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--ignored=matching"];

/** Captures the workspace. Git reads only new files and those that have changed since the last time. */
export async function capture(store: Store, options: CaptureOptions): Promise<Captured> {
  const { git, root } = store;
  const head = await followRepository(store, options.ignoreFiles);
  const kept = join(store.shadow, "index");
  // Taken away, so that a git that outlives its killed parent does not interfere. One that is lost is made again from the latest checkpoint.
  const index = join(store.scratch, "index");
  const began = new Date();
  const run = (words: readonly string[], paths: readonly string[] = []): Promise<Buffer> =>
    git(words, { index, input: paths.map((path) => `${path}\0`).join("") });
  if (existsSync(kept)) renameSync(kept, index);
  else
    for (const { checkpoint } of (await savedCheckpoints(store)).slice(0, 1)) await run(["read-tree", checkpoint.id]);
  const listing = splitRecords(await run(["ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"]));
  // Files that no earlier checkpoint has are marked as new. Git lists a folder only if it does not enter it.
  const marked = listing.map((record) => [record.slice(2).replace(/\/$/, ""), record.startsWith("?")] as const);
  const listed = new Map([...options.own.map((path) => [path, true] as const), ...marked]);
  const { removed, permissions, stamps, ...survey } = surveyFiles(root, listed, options);
  await run(["update-index", "--force-remove", "-z", "--stdin"], removed);
  await run(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], [...stamps.keys()]);
  const tree = (await run(["write-tree"])).toString("latin1").trim();
  // The files themselves and not the rules, because an agent may change the rules before a restore asks what was there. A folder
  // stands for all that is in it only where a rule or a repository does: an agent may add a file beside others that are left out.
  const isNested = among(survey.nested);
  const left = splitRecords(await run(STATUS)).filter((record) => /^[!?]/.test(record) && !isNested(record.slice(3)));
  const others = [...survey.nested, ...left.map((record) => record.slice(3).replace(/\/$/, ""))];
  const unreadable = [...survey.unreadable, ...others.filter((path) => path.includes(NO_TEXT))];
  const ignored = left.filter((record) => record.startsWith("!") && !record.includes(NO_TEXT)).length;
  // An empty workspace has no index. Git looks again at files that were changed after its time.
  if (existsSync(index)) {
    utimesSync(index, began, began);
    renameSync(index, kept);
  }
  return { tree, permissions, others, leftOut: { ...survey, unreadable, ignored }, head, stamps };
}

/** Looks at every file that git listed, with whether it is new. It follows no links, because what they lead to is not part of the workspace. */
function surveyFiles(root: string, listed: ReadonlyMap<string, boolean>, options: CaptureOptions) {
  const { maxFileBytes, own } = options;
  const isOwn = new Set(own);
  const isSpared = among(options.spared);
  /** Whether a folder and all above it are plain folders of this workspace. */
  const plain = new Map<string, boolean>([["", true]]);
  const nested: string[] = [];
  const removed: string[] = [];
  const tooLarge: string[] = [];
  const unreadable: string[] = [];
  const permissions: [path: string, permissions: number][] = [];
  const stamps = new Map<string, string>();
  const note = (path: string, { mode }: Stats, usual: number): void => {
    if (HAS_PERMISSIONS && (mode & PERMISSIONS) !== usual) permissions.push([path, mode & PERMISSIONS]);
  };
  const isPlain = (folder: string): boolean => {
    for (const each of withFoldersAbove(folder).toReversed()) {
      if (plain.has(each)) continue;
      const found = plain.get(parentOf(each)) === true ? lookAt(`${root}/${each}`) : undefined;
      const isFolder = found?.isDirectory() === true;
      const isClosed = isFolder && !isReadable(`${root}/${each}`, constants.R_OK | constants.X_OK);
      const isNested = isFolder && !isClosed && isRepository(`${root}/${each}`);
      if (isClosed) unreadable.push(each);
      if (isNested) nested.push(each);
      else if (isFolder) note(each, found, USUAL_FOLDER);
      plain.set(each, isFolder && !isNested && !isClosed);
    }
    return plain.get(folder) === true;
  };

  for (const [path, isNew] of listed) {
    if (!isOwnPath(path)) continue;
    const found = isPlain(parentOf(path)) ? lookAt(`${root}/${path}`) : undefined;
    if (found?.isDirectory() === true) isPlain(path);
    const isFile = found?.isFile() === true;
    const isTooLarge = isFile && found.size > maxFileBytes;
    const isClosed = isFile && !isTooLarge && !isReadable(`${root}/${path}`);
    if (isTooLarge) tooLarge.push(path);
    if (isClosed) unreadable.push(path);
    const isOut = isTooLarge || isClosed || (isNew && isSpared(path) && !isOwn.has(path));
    if (found === undefined || isOut || !(isFile || found.isSymbolicLink())) {
      if (!isNew) removed.push(path);
      continue;
    }
    stamps.set(path, stampOf(found));
    if (isFile) note(path, found, usualPermissions(found));
  }
  return { removed, tooLarge, unreadable, nested, permissions, stamps };
}

/** What changes if somebody writes to a file, or puts another in its place, and not if another hard link of it goes. */
export function stampOf({ ino, mode, size, mtimeMs }: Stats): string {
  return [ino, mode, size, mtimeMs].join(" ");
}

/** The permissions that most files have: git keeps whether their owner may run them. */
export function usualPermissions({ mode }: Stats): number {
  return (mode & 0o100) === 0 ? 0o644 : 0o755;
}

function isReadable(path: string, rights = constants.R_OK): boolean {
  try {
    accessSync(path, rights);
    return true;
  } catch {
    return false;
  }
}
