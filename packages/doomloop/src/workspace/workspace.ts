import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DoomloopError, isDoomloopError, requireInteger } from "../core/doomloop-error.ts";
import { readFault } from "../system/usage-error.ts";
import { type Captured, capture } from "./capture.ts";
import { findGit } from "./git.ts";
import { prune } from "./limits.ts";
import { askedPaths, isGitDirectory, lookAt } from "./paths.ts";
import { type LeftFile, planRestore, putBack, type RestoredFile } from "./restore.ts";
import {
  addCheckpoint,
  type Checkpoint,
  inStore,
  type LastRestore,
  type LeftOutSummary,
  lastRestore,
  noteRestore,
  openStore,
  rootOf,
  type SavedCheckpoint,
  type Store,
  savedCheckpoints,
  storeFolder,
} from "./store.ts";

/** Which folder to save, where, and how much of it. */
export interface WorkspaceOptions {
  /** The folder that the agent works in: the top of a repository, or any other folder. */
  readonly root: string;
  /** A folder outside the workspace where its checkpoints are kept. It belongs to this workspace alone, and is created if missing. */
  readonly stateDirectory: string;
  /** Absolute path of git. @default the first git in the usual places; `PATH` is not searched */
  readonly git?: string;
  /** Files with more ignore patterns than those of the workspace and its repository, such as `core.excludesFile`. @default [] */
  readonly ignoreFiles?: readonly string[];
  /** Larger files are left out of checkpoints and not touched. @default 100_000_000 */
  readonly maxFileBytes?: number;
  /** Returns the time in milliseconds since 1970, for the dates of checkpoints. @default Date.now */
  readonly now?: () => number;
}

/** Options of {@link Workspace.restore}. */
interface RestoreOptions {
  /** Change nothing, and report what would change. @default false */
  readonly dryRun?: boolean;
  /**
   * Restore only these files and folders, as paths relative to the root, with `/` between names. An empty list restores nothing, `.`
   * restores everything, and a path outside the workspace is refused.
   * @default everything that changed since the checkpoint
   */
  readonly paths?: readonly string[];
}

/** What a restore did, or what it would do in a dry run. */
export interface RestoreReport {
  /** The checkpoint that was restored. */
  readonly checkpoint: string;
  /** The checkpoint with the files as they were before the restore; absent if nothing changed. */
  readonly safety?: string;
  /** Whether the user's repository is at another commit than at the checkpoint, so that git shows the changes in between undone. */
  readonly hasHeadMoved: boolean;
  readonly changes: readonly RestoredFile[];
  /** Files that differ from the checkpoint and were left as they are. */
  readonly left: readonly LeftFile[];
  /** What restores do not touch. */
  readonly leftOut: LeftOutSummary;
}

/** The files that an agent works on, and a way to restore earlier versions of them. */
export interface Workspace {
  /** The path of the folder, with all links resolved. */
  readonly root: string;
  /** Saves the files as they are now. */
  checkpoint(label?: string): Promise<Checkpoint>;
  /** All checkpoints, newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /**
   * Restores the files that have changed since a checkpoint, and touches no others. It first saves the current files in a
   * checkpoint of their own. The agent should not be working at the same time. If it is interrupted, do it again or undo it.
   */
  restore(id: string, options?: RestoreOptions): Promise<RestoreReport>;
  /** Undoes the latest restore, file by file. A second call redoes the restore. */
  undo(options?: Pick<RestoreOptions, "dryRun">): Promise<RestoreReport>;
}

const MAX_LABEL = 200;
const MIN_ID = 4;

/**
 * Opens a workspace for checkpoints. They are kept in a separate repository: the workspace's `.git` is never touched.
 *
 * Throws a `DoomloopError` for an invalid option. The workspace's functions reject with one if git is missing
 * (`git-missing`), a checkpoint does not exist (`unknown-checkpoint`), another process is using the workspace
 * (`workspace-busy`) or something else fails (`workspace-fault`).
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { root, stateDirectory, git, maxFileBytes, now, ignoreFiles } = checkOptions(options);
  const folder = storeFolder(stateDirectory);

  /** Opens the store while no other process uses it. `orElse` answers if there is none, so that none is created. */
  const withStore = async <Result>(work: (store: Store) => Promise<Result>, orElse?: () => Result): Promise<Result> => {
    const store = openStore(folder, root, findGit(git));
    if (orElse !== undefined && rootOf(folder) === undefined) return orElse();
    try {
      return await inStore(store, work);
    } catch (error) {
      if (isDoomloopError(error)) throw error;
      const { syscall = "", path = "" } = error as NodeJS.ErrnoException;
      const message = `workspace: ${syscall} ${path}: ${readFault(error)}`;
      throw new DoomloopError("workspace-fault", message, { cause: error });
    }
  };

  const look = (store: Store, spared: readonly string[] = []): Promise<Captured> =>
    capture(store, { maxFileBytes, ignoreFiles, spared, own: lastRestore(store)?.paths ?? [] });

  const save = (store: Store, seen: Captured, about: Pick<Checkpoint, "kind" | "label">): Promise<Checkpoint> => {
    const { stamps, leftOut, head } = seen;
    const facts = { files: stamps.size, ...(head !== undefined && { head }), leftOut };
    return addCheckpoint(store, { at: now(), ...about, ...facts }, seen);
  };

  const goBack = async (
    store: Store,
    kind: LastRestore["kind"],
    id: string,
    { only, isDryRun }: { readonly only: readonly string[] | undefined; readonly isDryRun: boolean },
  ): Promise<RestoreReport> => {
    const target = await find(store, id);
    const { id: checkpoint, head } = target.checkpoint;
    const seen = await look(store, target.others);
    const { files, left } = await planRestore(store, seen, target, { only, isUndo: kind === "undo" });
    const changes = files.map(({ permissions: _, stamp: __, ...file }) => file);
    const about = { checkpoint, hasHeadMoved: seen.head !== head, leftOut: seen.leftOut };
    if (isDryRun || files.length === 0) return { ...about, changes, left };

    const saved = await save(store, seen, { kind: "safety", label: `before ${kind} to ${checkpoint}` });
    const last = lastRestore(store);
    // An interrupted restore goes on: undoing it leads to the files before its beginning.
    const earlier = last?.isDone === false && last.kind === kind && last.target === checkpoint ? last : undefined;
    const note = { kind, target: checkpoint, safety: earlier?.safety ?? saved.id };
    const paths = [...new Set([...(earlier?.paths ?? []), ...files.map(({ path }) => path)])];
    noteRestore(store, { ...note, paths, isDone: false });
    const leftNow = await putBack(store, files, target);
    const stayed = new Set(leftNow.map(({ path }) => path));
    const done = changes.filter(({ path }) => !stayed.has(path));
    // A restore that changed nothing has nothing to undo, so the previous one stays the latest.
    const isNothing = done.length === 0 && earlier === undefined && last !== undefined;
    noteRestore(store, isNothing ? last : { ...note, paths: paths.filter((path) => !stayed.has(path)), isDone: true });
    return { ...about, ...(done.length > 0 && { safety: note.safety }), changes: done, left: [...leftNow, ...left] };
  };

  return {
    root,
    checkpoint: (label) =>
      withStore(async (store) => {
        const about = { kind: "asked" as const, ...(label !== undefined && { label: label.slice(0, MAX_LABEL) }) };
        const saved = await save(store, await look(store), about);
        await prune(store, now());
        return saved;
      }),
    list: () => withStore(listed, () => []),
    restore(id, { dryRun: isDryRun = false, paths } = {}) {
      const work = async (store: Store) => goBack(store, "restore", id, { only: askedPaths(paths), isDryRun });
      return withStore(work, () => unknown(id));
    },
    undo: ({ dryRun: isDryRun = false } = {}) =>
      withStore(async (store) => {
        const last = lastRestore(store);
        if (last === undefined) return nothingToUndo();
        const id = last.kind === "undo" && !last.isDone ? last.target : last.safety;
        return goBack(store, "undo", id, { only: last.paths, isDryRun });
      }, nothingToUndo),
  };
}

async function listed(store: Store): Promise<readonly Checkpoint[]> {
  return (await savedCheckpoints(store)).map(({ checkpoint }) => checkpoint);
}

/** The checkpoint with this id, or the only one whose id begins with it. */
async function find(store: Store, id: string): Promise<SavedCheckpoint> {
  const [found, another] = (await savedCheckpoints(store)).filter(({ checkpoint }) => checkpoint.id.startsWith(id));
  if (found === undefined || id.length < MIN_ID) return unknown(id);
  return another === undefined ? found : unknown(`${id}, with which several ids begin`);
}

function unknown(id: string): never {
  const message = `restore: no checkpoint ${id}; doomloop checkpoint --list shows them, and the id comes before paths`;
  throw new DoomloopError("unknown-checkpoint", message);
}

function nothingToUndo(): never {
  throw new DoomloopError("unknown-checkpoint", "undo: there is no restore to undo");
}

/** The options with the defaults filled in. Throws a {@link DoomloopError} for an invalid one. */
function checkOptions(options: WorkspaceOptions) {
  const { git, ignoreFiles = [], maxFileBytes = 100_000_000, now = Date.now } = options;
  requireInteger("createWorkspace: maxFileBytes", maxFileBytes, 1);
  const root = realPath(requirePath("root", options.root));
  if (lookAt(root)?.isDirectory() !== true) throw refusal("root", "a folder is required", root);
  if (isGitDirectory(root))
    throw refusal("root", "a folder of files is required, not a bare repository or another git directory", root);
  const stateDirectory = requirePath("stateDirectory", options.stateDirectory);
  const state = realPath(stateDirectory);
  if (isInside(root, state) || isInside(state, root))
    throw refusal("stateDirectory", "a folder outside the workspace is required", stateDirectory);
  return { root, stateDirectory, git, ignoreFiles, maxFileBytes, now };
}

/** The real path, as far as it exists. */
function realPath(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? realpathSync(path) : join(realPath(above), basename(path));
}

/** Whether a path is the folder or is inside it. Links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

function requirePath(where: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return resolve(value);
  throw refusal(where, "a path is required", String(value));
}

function refusal(where: string, required: string, got: string): DoomloopError {
  return new DoomloopError("invalid-option", `createWorkspace: ${where}: ${required}, got ${got}`);
}
