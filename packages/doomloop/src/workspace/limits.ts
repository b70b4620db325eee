import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../system/private-files.ts";
import { findGit } from "./git.ts";
import { withLock } from "./lock.ts";
import { lastRestore, openStore, REFS, rootOf, type Store, savedCheckpoints, storeFolder } from "./store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;
const KEPT_LATEST = 50;
const MAX_BYTES = 2_000_000_000;
const DISK_SHARE = 10;
/** The oldest part of all checkpoints that goes at once. What is left is measured again then. */
const PART = 8;
const BUSY_MS = 1_000;

/**
 * Once a day, deletes old checkpoints (those that are not among the latest, not from the last days, and not needed for an undo) and what
 * killed processes left. If this is interrupted, the next day continues it. Nobody asked for it, so it reports no faults.
 */
export async function prune(store: Store, now: number): Promise<void> {
  const mark = join(store.folder, "pruned");
  try {
    const last = Number(readFileSync(mark, { encoding: "utf8", flag: "a+" }));
    // A clock that was set back does not postpone it forever.
    if (Math.abs(now - last) < DAY_MS) return;
    // Written first, so that a prune that fails or takes long is not tried again at once.
    replaceFile(mark, String(now));
    const old = (await olderThanLatest(store, KEPT_LATEST)).filter(({ at }) => now - at >= KEPT_MS);
    // Recent objects may belong to a killed process whose git is still running.
    await forget(store, old, `--expire=${Math.floor((now - HOUR_MS) / 1000)}`);
  } catch {
    // It is tried again tomorrow.
  }
}

/** All but the latest checkpoints and those that an undo needs. */
async function olderThanLatest(store: Store, count: number) {
  const { safety, target } = lastRestore(store) ?? {};
  const older = (await savedCheckpoints(store)).slice(count).map(({ checkpoint }) => checkpoint);
  return older.filter(({ id }) => id !== safety && id !== target);
}

/** Deletes checkpoints, and all content that no checkpoint has. */
async function forget({ git, shadow }: Store, old: readonly { readonly id: string }[], expiry: string): Promise<void> {
  // A git that was killed leaves locks behind that block every other one.
  for (const name of readdirSync(shadow, { recursive: true, encoding: "utf8" })) {
    const found = name.endsWith(".lock") ? lstatSync(join(shadow, name), { throwIfNoEntry: false }) : undefined;
    if (found !== undefined && Date.now() - found.mtimeMs > HOUR_MS) rmSync(join(shadow, name), { force: true });
  }
  await git(["update-ref", "--stdin"], { input: old.map(({ id }) => `delete ${REFS}/${id}\n`).join("") });
  await git(["prune", expiry]);
}

/**
 * Deletes what killed processes left, and then the oldest checkpoints of all workspaces below a folder, until they take no more than
 * `maxBytes`: by default, the smaller of 2 GB and a tenth of the disk that is free without them. The latest of each workspace stays, and so
 * does what an undo needs. Returns how many were deleted. Nobody asked for it, so it reports no faults.
 */
export async function limitCopies(home: string, git: string | undefined, maxBytes?: number) {
  let deleted: { readonly count: number; readonly maxBytes: number } | undefined;
  try {
    const program = findGit(git);
    const stores = foldersIn(home).map((folder) => openStore(folder, folder, program));
    const measure = (): number => stores.reduce((sum, { folder }) => sum + bytesIn(folder), 0);
    const { bavail, bsize } = statfsSync(home);
    const limit = Math.floor(maxBytes ?? Math.min(MAX_BYTES, (bavail * bsize + measure()) / DISK_SHARE));
    for (let isFirst = true; measure() > limit; isFirst = false) {
      const all = await Promise.all(stores.map(async (store) => ({ store, old: await olderThanLatest(store, 1) })));
      const ages = all.flatMap(({ old }) => old.map(({ at }) => at)).sort((one, other) => one - other);
      const youngest = isFirst ? Number.NEGATIVE_INFINITY : ages[Math.ceil(ages.length / PART) - 1];
      if (youngest === undefined) break;
      for (const { store, old } of all) {
        const going = old.filter(({ at }) => at <= youngest);
        // Another process may be at work there. While the lock is held, recent objects need not be spared.
        await withLock(store.folder, () => forget(store, going, "--expire=now"), BUSY_MS);
        if (going.length > 0) deleted = { count: (deleted?.count ?? 0) + going.length, maxBytes: limit };
      }
    }
  } catch {
    // Git is missing, the disk is full, or a workspace is busy. It is tried again with the next checkpoint.
  }
  return deleted;
}

/** Where the checkpoints of all workspaces are. */
export function workspacesFolder(state: string): string {
  return join(state, "workspaces");
}

/** The workspaces with checkpoints below a state folder, the largest first. */
export function keptCopies(state: string): readonly { readonly root: string; readonly bytes: number }[] {
  const all = foldersIn(workspacesFolder(state)).map((folder) => ({ root: rootOf(folder)!, bytes: bytesIn(folder) }));
  return all.sort((one, other) => other.bytes - one.bytes);
}

function foldersIn(home: string): readonly string[] {
  const names = existsSync(home) ? readdirSync(home) : [];
  return names.map((name) => storeFolder(join(home, name))).filter((folder) => rootOf(folder) !== undefined);
}

/** The size of all files in a folder. */
function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
