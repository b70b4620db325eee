import type { CheckpointFacts } from "./checkpoint-book.ts";
import { type FileMode, type FileVersion, usualPermissions } from "./file-version.ts";
import { ignoredPaths } from "./ignored-paths.ts";
import { among, isOwnPath, type RawPath, splitRecords } from "./raw-path.ts";
import type { Git } from "./run-git.ts";
import type { Shadow } from "./shadow.ts";

/** One file of a restore: what it is, and what it becomes. Without `to` it is deleted, without `from` it is not there. */
export interface PlannedFile {
  readonly path: RawPath;
  readonly from?: FileVersion;
  readonly to?: FileVersion;
}

export interface UntouchedFile {
  readonly path: RawPath;
  /**
   * `before`: it was there, and in no checkpoint: ignored then, and not now. `nested`: a repository of its own has it. `ignored`: it
   * came since, and is ignored now or was by the rules of then. The others: it became something since that no checkpoint has.
   */
  readonly why: "before" | "ignored" | "nested" | "became-nested" | "too-large" | "unreadable";
}

export interface RestoreManifest {
  /** In the order in which it is done: what goes makes room for what comes. */
  readonly files: readonly PlannedFile[];
  /** Files that differ and are not touched. */
  readonly untouched: readonly UntouchedFile[];
}

/** A state of the workspace. */
interface PlannedState {
  readonly tree: string;
  readonly facts: CheckpointFacts;
}

export interface PlanOptions {
  /** What the workspace is now. */
  readonly current: PlannedState;
  /** What it is to be. */
  readonly target: PlannedState;
  /** Folders that have a repository of their own now. */
  readonly nested: readonly RawPath[];
  /** What became something that no checkpoint has: its files are told with it. */
  readonly unkept?: readonly UntouchedFile[];
  /** Only these, and what is in them. */
  readonly only?: readonly RawPath[] | undefined;
  /** The restore that is undone put these there itself. */
  readonly isUndo?: boolean;
}

const NO_FILE = "000000";
const MODES: readonly string[] = ["100644", "100755", "120000"] satisfies readonly FileMode[];

/** Compares two states: the difference is what a restore may touch, and nothing else. */
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

/** Files with the same content and other permissions. */
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

/** Deletions first, the deepest before the folder that it empties; then the rest. */
function inOrder(one: PlannedFile, other: PlannedFile): number {
  const isDeleted = Number(one.to !== undefined) - Number(other.to !== undefined);
  if (isDeleted !== 0) return isDeleted;
  const byPath = one.path < other.path ? -1 : Number(one.path > other.path);
  return one.to === undefined ? -byPath : byPath;
}
