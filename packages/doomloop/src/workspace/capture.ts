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
  const words = ["ls-files", "-z", "-t", "--cached", "--others", "--modified", "--deleted", "--exclude-standard"];
  const listed = listedIn(splitRecords(await run(words)), options.own);
  const { changed, removed, permissions, stamps, ...survey } = surveyFiles(root, listed, options);
  await run(["update-index", "--force-remove", "-z", "--stdin"], removed);
  await run(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], changed);
  const tree = (await run(["write-tree"])).toString("latin1").trim();
  // The files themselves and not the rules, because an agent may change the rules before a restore asks what was there.
  const left = await run(["ls-files", "-z", "--others", "--directory", "--no-empty-directory"]);
  const others = splitRecords(left).map((path) => path.replace(/\/$/, ""));
  const unreadable = [...survey.unreadable, ...others.filter((path) => path.includes(NO_TEXT))];
  const named = [...survey.nested, ...survey.tooLarge, ...unreadable];
  const ignored = others.filter((path) => !named.some((each) => `${each}/`.startsWith(`${path}/`))).length;
  // An empty workspace has no index. Git looks again at files that were changed after its time.
  if (existsSync(index)) {
    utimesSync(index, began, began);
    renameSync(index, kept);
  }
  return { tree, permissions, others, leftOut: { ...survey, unreadable, ignored }, head, stamps };
}

/** `new`: no earlier checkpoint has the file · `changed`: it differs from the one that has. */
type FileState = "new" | "changed" | "same";

/** The files that git lists, with its tags: `?` new, `C` changed, `R` gone, `H` known. */
function listedIn(records: readonly string[], own: readonly string[]): ReadonlyMap<string, FileState> {
  const listed = new Map<string, FileState>(own.map((path) => [path, "new"]));
  for (const record of records) {
    // Git lists a folder only if it does not enter it.
    const path = record.slice(2).replace(/\/$/, "");
    if (record.startsWith("?")) listed.set(path, "new");
    else if (!record.startsWith("H")) listed.set(path, "changed");
    else if (listed.get(path) !== "changed") listed.set(path, "same");
  }
  return listed;
}

/** Looks at every file that git listed. It follows no links, because what they lead to is not part of the workspace. */
function surveyFiles(root: string, listed: ReadonlyMap<string, FileState>, options: CaptureOptions) {
  const { maxFileBytes, own } = options;
  const isOwn = new Set(own);
  const isSpared = among(options.spared);
  /** Whether a folder and all above it are plain folders of this workspace. */
  const plain = new Map<string, boolean>([["", true]]);
  const nested: string[] = [];
  const changed: string[] = [];
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
      const isNested = isFolder && isRepository(`${root}/${each}`);
      if (isNested) nested.push(each);
      else if (isFolder) note(each, found, USUAL_FOLDER);
      plain.set(each, isFolder && !isNested);
    }
    return plain.get(folder) === true;
  };

  for (const [path, state] of listed) {
    if (!isOwnPath(path)) continue;
    const found = isPlain(parentOf(path)) ? lookAt(`${root}/${path}`) : undefined;
    if (found?.isDirectory() === true) isPlain(path);
    const isFile = found?.isFile() === true;
    const isTooLarge = isFile && found.size > maxFileBytes;
    const isClosed = isFile && !isTooLarge && state !== "same" && !isReadable(`${root}/${path}`);
    if (isTooLarge) tooLarge.push(path);
    if (isClosed) unreadable.push(path);
    const isOut = isTooLarge || isClosed || (state === "new" && isSpared(path) && !isOwn.has(path));
    if (found === undefined || isOut || !(isFile || found.isSymbolicLink())) {
      if (state !== "new") removed.push(path);
      continue;
    }
    stamps.set(path, stampOf(found));
    if (state !== "same") changed.push(path);
    if (isFile) note(path, found, usualPermissions(found));
  }
  return { changed, removed, tooLarge, unreadable, nested, permissions, stamps };
}

/** What changes if somebody writes to a file, or puts another in its place. */
export function stampOf({ ino, mode, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, mode, size, mtimeMs, ctimeMs].join(" ");
}

/** The permissions that most files have: git keeps whether their owner may run them. */
export function usualPermissions({ mode }: Stats): number {
  return (mode & 0o100) === 0 ? 0o644 : 0o755;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
