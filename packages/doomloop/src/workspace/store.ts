import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import { makePrivateFolder, replaceFile } from "../system/private-files.ts";
import { createGit, type Git } from "./git.ts";
import { withLock } from "./lock.ts";
import { splitRecords } from "./paths.ts";

/** A saved state of the workspace that can be restored. */
export interface Checkpoint {
  /** Twelve hexadecimal digits. */
  readonly id: string;
  /** The time it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly label?: string;
  /** `asked`: a caller asked for it · `safety`: a restore made it before it changed anything. */
  readonly kind: "asked" | "safety";
  /** The number of files in it. */
  readonly files: number;
  /** The commit of `HEAD` in the user's repository, if there was one. */
  readonly head?: string;
  /** What is in the workspace but not in the checkpoint. */
  readonly leftOut: LeftOutSummary;
}

/** What checkpoints leave out and restores do not touch. */
export interface LeftOutSummary {
  /** The number of files and whole folders that are left out because they are ignored. */
  readonly ignored: number;
  /** Folders with a git repository of their own, and git directories under any name. */
  readonly nested: readonly string[];
  /** Files above `maxFileBytes`. */
  readonly tooLarge: readonly string[];
  /** Files that this user may not read, and files whose names are not UTF-8. */
  readonly unreadable: readonly string[];
}

/** A checkpoint with what only a restore needs to know. */
export interface SavedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** Permissions of files and folders that differ from the usual ones. */
  readonly permissions: readonly (readonly [path: string, permissions: number])[];
  /** Files that were there and are not in the checkpoint, and folders that are left out as a whole. */
  readonly others: readonly string[];
}

/** The latest restore of `target`. It is noted before anything changes, so that an interrupted one can be undone or done again. */
export interface LastRestore {
  readonly kind: "restore" | "undo";
  readonly target: string;
  /** The checkpoint with the files as they were before. */
  readonly safety: string;
  readonly paths: readonly string[];
  readonly isDone: boolean;
}

/** What is kept of a workspace, in a folder outside of it. Each checkpoint is a commit in the repository `shadow`, with a ref. */
export interface Store {
  readonly root: string;
  readonly folder: string;
  readonly shadow: string;
  /** A folder for what one operation needs. It is empty at the beginning, whatever a killed process left there. */
  readonly scratch: string;
  readonly git: Git;
}

/** The layout on disk. Another layout gets another folder, so that no version reads a layout that it does not know. */
const LAYOUT = "workspace-2";
export const REFS = "refs/checkpoints";
const ID_LENGTH = 12;
/** Files are kept byte by byte, whatever attributes the workspace sets. */
const ATTRIBUTES = "* -text -filter -ident !working-tree-encoding !eol !crlf -diff -merge\n";
const MAX_BYTES = 64 << 20;

/** The folder of everything that is kept of a workspace. */
export function storeFolder(stateDirectory: string): string {
  return join(stateDirectory, LAYOUT);
}

/** Where git keeps the names of checkpoints: a file for each. */
export function refsFolder(folder: string): string {
  return join(folder, "shadow.git", REFS);
}

/** The workspace that a folder is for. Undefined if nothing was ever kept there. */
export function rootOf(folder: string): string | undefined {
  return textOf(join(folder, "root"));
}

export function openStore(folder: string, root: string, program: string): Store {
  const shadow = join(folder, "shadow.git");
  return { root, folder, shadow, scratch: join(folder, "scratch"), git: createGit(program, { shadow, root }) };
}

/** Does something while no other process uses the store, which is created if it is missing. */
export async function inStore<Result>(store: Store, work: (store: Store) => Promise<Result>): Promise<Result> {
  const clean = () => rmSync(store.scratch, { recursive: true, force: true });
  makePrivateFolder(store.folder);
  return withLock(store.folder, async () => {
    clean();
    mkdirSync(store.scratch, { mode: 0o700 });
    await initStore(store);
    return await work(store).finally(clean);
  });
}

/** Creates the repository, unless it is there. The name of the workspace comes last: without it, nothing was kept. */
async function initStore({ git, folder, shadow, root }: Store): Promise<void> {
  const owner = rootOf(folder);
  if (owner === root) return;
  if (owner !== undefined) {
    const message = `createWorkspace: stateDirectory: a folder for ${root} is required, ${folder} is for ${owner}`;
    throw new DoomloopError("invalid-option", message);
  }
  mkdirSync(join(shadow, "info"), { recursive: true, mode: 0o700 });
  await git(["init", "--quiet", "--template="]);
  replaceFile(join(shadow, "info", "attributes"), ATTRIBUTES);
  replaceFile(join(folder, "root"), root);
}

/** All checkpoints, newest first. A clock may be set back, so each has a number that grows. */
export async function savedCheckpoints({ git }: Store) {
  const lines = splitRecords(await git(["for-each-ref", "--format=%(refname:lstrip=2) %(subject)%00", REFS]));
  const all = lines.map((record) => {
    const line = record.trimStart();
    const saved = JSON.parse(line.slice(ID_LENGTH + 1)) as SavedCheckpoint & { readonly number: number };
    return { ...saved, checkpoint: { ...saved.checkpoint, id: line.slice(0, ID_LENGTH) } };
  });
  return all.sort((one, other) => other.number - one.number);
}

/** Makes a checkpoint of a tree. */
export async function addCheckpoint(
  store: Store,
  checkpoint: Omit<Checkpoint, "id">,
  { tree, permissions, others }: Omit<SavedCheckpoint, "checkpoint"> & { readonly tree: string },
): Promise<Checkpoint> {
  const number = ((await savedCheckpoints(store))[0]?.number ?? 0) + 1;
  const input = JSON.stringify({ checkpoint, permissions, others, number });
  const commit = (await store.git(["commit-tree", tree], { input })).toString("latin1").trim();
  const id = commit.slice(0, ID_LENGTH);
  await store.git(["update-ref", `${REFS}/${id}`, commit]);
  return { id, ...checkpoint };
}

export function lastRestore({ folder }: Store): LastRestore | undefined {
  const text = textOf(join(folder, "last-restore.json"));
  return text === undefined ? undefined : (JSON.parse(text) as LastRestore);
}

export function noteRestore({ folder }: Store, restore: LastRestore): void {
  replaceFile(join(folder, "last-restore.json"), JSON.stringify(restore));
}

/** Makes the ignore patterns of the given files and of the user's repository ours. Returns the commit of its `HEAD`. */
export async function followRepository(store: Store, ignoreFiles: readonly string[]): Promise<string | undefined> {
  const { git, root, shadow } = store;
  // It ends with this code if there is no repository, or no commit yet.
  const words = [`--git-dir=${resolve(root, ".git")}`, "rev-parse", "--git-path", "info/exclude", "HEAD"];
  const [own, head = ""] = (await git(words, { emptyCode: 128 })).toString("utf8").split("\n");
  // Later patterns win, and those of the repository take precedence.
  const patterns = [...ignoreFiles, ...(own ? [resolve(shadow, own)] : [])].map((path) => `${textOf(path) ?? ""}\n`);
  replaceFile(join(shadow, "info", "exclude"), patterns.join(""));
  return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
}

/** The text of a file that is not too large; undefined if there is none that this user may read. */
function textOf(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
