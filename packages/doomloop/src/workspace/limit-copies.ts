import { readdirSync, readFileSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CheckpointStore, openCheckpointStore } from "./checkpoint-store.ts";
import { withLock } from "./lock.ts";
import { forgetNames } from "./prune.ts";
import { createGit, findGit, type Git } from "./run-git.ts";
import { readLastRestore } from "./run-restore.ts";
import { LAYOUT } from "./shadow-repository.ts";
import { writeSafely } from "./write-safely.ts";

export interface LimitOptions {
  /** The folder with the checkpoints of all workspaces. */
  readonly home: string;
  /** Absolute path of git. */
  readonly git?: string | undefined;
  /**
   * How much all checkpoints may take together.
   * @default the smaller of 2 GB and a tenth of the disk that is free without them
   */
  readonly maxBytes?: number | undefined;
  readonly now: number;
}

/** What was deleted to stay within the limit. */
export interface DeletedCopies {
  /** When that happened last, in milliseconds since 1970. */
  readonly at: number;
  /** How many checkpoints, in all. */
  readonly count: number;
  readonly maxBytes: number;
}

/** The checkpoints of one workspace. */
interface Copies {
  readonly folder: string;
  readonly git: Git;
  readonly store: CheckpointStore;
}

interface OldCheckpoint {
  readonly copies: Copies;
  readonly id: string;
  readonly at: number;
}

const MAX_BYTES = 2_000_000_000;
const DISK_SHARE = 10;
/** The oldest part of all checkpoints that goes at once. What is left is measured again then. */
const PART = 8;
const NOTE = "deleted.json";
const BUSY_MS = 1_000;

/**
 * Deletes the oldest checkpoints of all workspaces until the rest is within the limit. The latest of each workspace stays, and so does what
 * an undo needs. Returns how many were deleted. Nobody asked for it, so it reports no faults.
 */
export async function limitCopies({ home, git, maxBytes, now }: LimitOptions): Promise<DeletedCopies | undefined> {
  try {
    const program = await findGit(git);
    const all = copiesIn(home, program);
    let bytes = await bytesOf(all);
    const limit = maxBytes ?? Math.min(MAX_BYTES, (freeBytes(home) + bytes) / DISK_SHARE);
    let count = 0;
    while (bytes > limit) {
      const old = oldestFirst(all);
      const going = old.slice(0, Math.ceil(old.length / PART));
      const deleted = await deleteAll(going);
      if (deleted === 0) break;
      count += deleted;
      bytes = await bytesOf(all);
    }
    if (count === 0) return undefined;
    const done = { at: now, count: count + (deletedCopies(home)?.count ?? 0), maxBytes: Math.floor(limit) };
    writeSafely(join(home, NOTE), JSON.stringify(done));
    return { ...done, count };
  } catch {
    // Git is missing, or the disk is full. It is tried again with the next checkpoint.
    return undefined;
  }
}

/** What was ever deleted to stay within the limit. Undefined if nothing was. */
export function deletedCopies(home: string): DeletedCopies | undefined {
  try {
    const { at, count, maxBytes } = JSON.parse(readFileSync(join(home, NOTE), "utf8")) as Partial<DeletedCopies>;
    const areNumbers = [at, count, maxBytes].every((value) => Number.isSafeInteger(value));
    return areNumbers ? ({ at, count, maxBytes } as DeletedCopies) : undefined;
  } catch {
    return undefined;
  }
}

function copiesIn(home: string, program: string): readonly Copies[] {
  return readdirSync(home, { withFileTypes: true }).flatMap((entry) => {
    const folder = join(home, entry.name, LAYOUT);
    const checkpoints = join(folder, "checkpoints");
    if (!entry.isDirectory() || !isThere(checkpoints)) return [];
    const git = createGit({ program, shadow: join(folder, "shadow.git"), root: dirname(folder), now: Date.now });
    return [{ folder, git, store: openCheckpointStore(checkpoints) }];
  });
}

function isThere(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** What git says that all of it takes. */
async function bytesOf(all: readonly Copies[]): Promise<number> {
  const sizes = await Promise.all(
    all.map(async ({ git }) => {
      const text = (await git.run(["count-objects", "-v"])).toString("latin1");
      return [...text.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0) * 1024;
}

function freeBytes(home: string): number {
  const { bavail, bsize } = statfsSync(home);
  return bavail * bsize;
}

function oldestFirst(all: readonly Copies[]): readonly OldCheckpoint[] {
  return all
    .flatMap((copies) => {
      const { safety, target } = readLastRestore(copies.folder, true) ?? {};
      const [, ...older] = copies.store.list();
      return older.filter(({ id }) => id !== safety && id !== target).map(({ id, at }) => ({ copies, id, at }));
    })
    .sort((one, other) => one.at - other.at);
}

async function deleteAll(going: readonly OldCheckpoint[]): Promise<number> {
  let count = 0;
  for (const copies of new Set(going.map((one) => one.copies))) {
    const ids = new Set(going.filter((one) => one.copies === copies).map(({ id }) => id));
    // Another process may be at work there.
    count += await withLock(copies.folder, () => deleteIn(copies, ids), BUSY_MS).catch(() => 0);
  }
  return count;
}

/** While the lock is held, nobody makes a checkpoint there, so recent objects need not be spared. Git keeps what the index names. */
async function deleteIn({ folder, git, store }: Copies, ids: ReadonlySet<string>): Promise<number> {
  const before = store.count();
  const left = store.keepOnly(({ id }) => !ids.has(id));
  await forgetNames({ folder, git }, new Set(left));
  await git.run(["prune", "--expire=now"]);
  return before - left.length;
}
