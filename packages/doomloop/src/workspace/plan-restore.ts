import type { Captured } from "./capture.ts";
import type { CheckpointFacts, KnownCheckpoint } from "./checkpoint-store.ts";
import { type FileMode, type FileVersion, usualPermissions } from "./file-version.ts";
import { ignoredPaths } from "./ignored-paths.ts";
import { among, isOwnPath, parentOf, type RawPath, shownPath, splitRecords } from "./raw-path.ts";
import type { Git } from "./run-git.ts";
import type { Shadow } from "./shadow-repository.ts";

/** One file of a restore: what it is now, and what it becomes. Without `from` it does not exist yet, without `to` it is deleted. */
export interface PlannedFile {
  readonly path: RawPath;
  readonly from?: FileVersion;
  readonly to?: FileVersion;
}

export interface UntouchedFile {
  readonly path: RawPath;
  /**
   * `before`: it existed at the checkpoint, which left it out, because it was ignored then · `nested`: it belongs to another
   * repository · `ignored`: it is new, and is ignored now or by the rules of the checkpoint · the others: it has become
   * something that checkpoints leave out.
   */
  readonly why: "before" | "ignored" | "nested" | "became-nested" | "too-large" | "unreadable";
}

export interface RestoreManifest {
  /** In the order of the restore: deletions first, to make room. */
  readonly files: readonly PlannedFile[];
  /** Files that differ and are not touched. */
  readonly untouched: readonly UntouchedFile[];
}

/** A state of the workspace. */
interface PlannedState {
  readonly tree: string;
  readonly facts: CheckpointFacts;
}

interface PlanOptions {
  /** The workspace now. */
  readonly current: PlannedState;
  /** The state to restore. */
  readonly target: PlannedState;
  /** Folders that have a repository of their own now. */
  readonly nested: readonly RawPath[];
  /** Paths that have become something that checkpoints leave out. Files inside them are not listed separately. */
  readonly unkept?: readonly UntouchedFile[];
  /** Restore only these paths and what is inside them. */
  readonly only?: readonly RawPath[] | undefined;
  /** Whether this undoes a restore, which put the files there itself. */
  readonly isUndo?: boolean;
}

const NO_FILE = "000000";
const MODES: readonly string[] = ["100644", "100755", "120000"] satisfies readonly FileMode[];

/** Compares two states. A restore may touch only what differs. */
export async function planRestore(shadow: Shadow, options: PlanOptions): Promise<RestoreManifest> {
  const { current, target, nested, only, isUndo = false, unkept = [] } = options;
  const { git } = shadow;
  const files = [...(await contentChanges(git, current, target)), ...(await permissionChanges(git, current, target))];
  const isAsked = only === undefined ? () => true : among(only.flatMap((path) => [path, `${path}/`]));
  const wanted = files.filter(({ path }) => isAsked(path));
  const wasThere = isUndo ? () => false : among(target.facts.leftOut);
  const isNested = among(nested.map((folder) => `${folder}/`));
  const deleted = isUndo ? [] : wanted.filter(({ to }) => to === undefined).map(({ path }) => path);
  const ignored = await ignoredPaths(shadow, deleted, { tree: target.tree, excludes: target.facts.excludes });
  const untouched = wanted.flatMap(({ path, to }): UntouchedFile[] => {
    if (isNested(path)) return [{ path, why: "nested" }];
    if (to === undefined && wasThere(path)) return [{ path, why: "before" }];
    return ignored.has(path) ? [{ path, why: "ignored" }] : [];
  });
  const isUnkept = among(unkept.flatMap(({ path }) => [path, `${path}/`]));
  const isSpared = among(untouched.map(({ path }) => path));
  return {
    files: wanted.filter(({ path }) => !isSpared(path) && !isUnkept(path)).sort(inOrder),
    untouched: [...untouched.filter(({ path }) => !isUnkept(path)), ...unkept],
  };
}

async function contentChanges(git: Git, current: PlannedState, target: PlannedState): Promise<PlannedFile[]> {
  const words = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", current.tree, target.tree];
  const records = splitRecords(await git.run(words));
  const files: PlannedFile[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [fromMode = "", toMode = "", fromId = "", toId = ""] = records[at]!.slice(1).split(" ");
    const path = records[at + 1]!;
    if (!isOwnPath(path)) continue;
    const from = versionOf(fromMode, fromId, current.facts.permissions.get(path));
    const to = versionOf(toMode, toId, target.facts.permissions.get(path));
    files.push({ path, ...(from && { from }), ...(to && { to }) });
  }
  return files;
}

/** Files with the same content and different permissions. */
async function permissionChanges(git: Git, current: PlannedState, target: PlannedState): Promise<PlannedFile[]> {
  const unusual = new Set([...current.facts.permissions.keys(), ...target.facts.permissions.keys()]);
  const others = [...unusual].filter(
    (path) => current.facts.permissions.get(path) !== target.facts.permissions.get(path),
  );
  if (others.length === 0) return [];
  const [now, then] = await Promise.all([readTree(git, current.tree), readTree(git, target.tree)]);
  return others.flatMap((path) => {
    const [mode = "", id = ""] = then.get(path)?.split(" ") ?? [];
    if (!isOwnPath(path) || now.get(path) !== then.get(path)) return [];
    const from = versionOf(mode, id, current.facts.permissions.get(path));
    const to = versionOf(mode, id, target.facts.permissions.get(path));
    return from === undefined || to === undefined ? [] : [{ path, from, to }];
  });
}

/** Mode and id of each file. */
async function readTree(git: Git, tree: string): Promise<ReadonlyMap<RawPath, string>> {
  const records = splitRecords(await git.run(["ls-tree", "-r", "-z", "--full-tree", tree]));
  return new Map(
    records.map((record) => {
      const tab = record.indexOf("\t");
      const [mode, , id] = record.slice(0, tab).split(" ");
      return [record.slice(tab + 1), `${mode} ${id}`];
    }),
  );
}

function versionOf(mode: string, id: string, permissions: number | undefined): FileVersion | undefined {
  if (mode === NO_FILE || !MODES.includes(mode)) return undefined;
  const own = mode as FileMode;
  return { id, mode: own, permissions: permissions ?? usualPermissions(own) };
}

/** Deletions come first, a file before the folder that it leaves empty; then the rest. */
function inOrder(one: PlannedFile, other: PlannedFile): number {
  const isDeleted = Number(one.to !== undefined) - Number(other.to !== undefined);
  if (isDeleted !== 0) return isDeleted;
  const byPath = one.path < other.path ? -1 : Number(one.path > other.path);
  return one.to === undefined ? -byPath : byPath;
}

/**
 * Paths that the checkpoint has and that would be left out now. They cannot be saved first, so a restore does not touch them. A
 * folder that became a repository is one of them, and is listed as a whole.
 */
export function unkeptSince(
  { nested, tooLarge, unreadable }: Pick<Captured, "nested" | "tooLarge" | "unreadable">,
  { facts, checkpoint }: Pick<KnownCheckpoint, "facts" | "checkpoint">,
  only: readonly RawPath[] | undefined,
): readonly UntouchedFile[] {
  const wasLeftOut = among(facts.leftOut);
  const isAsked = (path: RawPath): boolean =>
    only === undefined || only.some((each) => `${each}/`.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  // If a folder had files before it became a repository, the facts contain only its newer files.
  const wasNested = new Set(checkpoint.leftOut.nested);
  const all: readonly UntouchedFile[] = [
    ...nested
      .filter((path) => !wasNested.has(shownPath(path)))
      .map((path) => ({ path, why: "became-nested" as const })),
    ...tooLarge.map((path) => ({ path, why: "too-large" as const })),
    ...unreadable.map((path) => ({ path, why: "unreadable" as const })),
  ];
  return all.filter(({ path }) => !wasLeftOut(path) && !wasLeftOut(`${path}/`) && isAsked(path));
}

/**
 * Folders that stay even if a deletion empties them: they existed at the checkpoint, empty or with files that it left out, or
 * the restore will put something into them.
 */
export function stayingFolders(files: readonly PlannedFile[], facts: CheckpointFacts): readonly RawPath[] {
  const before = new Set<RawPath>();
  for (const folder of facts.empty) addWithAbove(before, folder);
  for (const path of facts.leftOut) addWithAbove(before, path.endsWith("/") ? path.slice(0, -1) : parentOf(path));
  for (const { path, to } of files) if (to !== undefined) addWithAbove(before, parentOf(path));
  const emptied = new Set<RawPath>();
  for (const { path, to } of files) if (to === undefined) addWithAbove(emptied, parentOf(path));
  return [...emptied].filter((folder) => before.has(folder));
}

function addWithAbove(folders: Set<RawPath>, folder: RawPath): void {
  for (let at = folder; at !== "" && !folders.has(at); at = parentOf(at)) folders.add(at);
}

/** Parent folders of restored files that had unusual permissions, so that they get them again if they are missing. */
export function unusualFolders(
  files: readonly PlannedFile[],
  { permissions }: CheckpointFacts,
): readonly (readonly [RawPath, number])[] {
  const unusual = new Map<RawPath, number>();
  for (const { path } of files.filter(({ to }) => to !== undefined)) {
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      const own = permissions.get(folder);
      if (own !== undefined) unusual.set(folder, own);
    }
  }
  return [...unusual];
}
