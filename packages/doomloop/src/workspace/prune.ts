import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { readLastRestore } from "./run-restore.ts";
import type { Shadow } from "./shadow-repository.ts";
import { writeSafely } from "./write-safely.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_LATEST = 50;
const MARK = "pruned";
const REFS = "refs/checkpoints";

/**
 * Deletes old checkpoints, at most once a day: those that are not among the latest, not from the last days, and not needed for an undo.
 * Then git removes what no checkpoint and no index uses. If this is interrupted, the next time continues it.
 *
 * Nobody asked for it, so it reports no faults.
 */
export async function prune(shadow: Shadow, store: CheckpointStore, now: number): Promise<void> {
  try {
    if (store.count() <= KEPT_LATEST || !isDue(shadow.folder, now)) return;
    // Written first, so that a prune that fails or takes long is not tried again at once.
    writeSafely(join(shadow.folder, MARK), String(now));
    const { safety, target } = readLastRestore(shadow.folder) ?? {};
    const ids = store.keepOnly(
      ({ id, at }, place) => place < KEPT_LATEST || now - at < KEPT_MS || id === safety || id === target,
    );
    if (await forgetNames(shadow, new Set(ids))) {
      // Recent objects may belong to a killed process whose git is still running.
      await shadow.git.run(["prune", `--expire=${Math.floor((now - HOUR_MS) / 1000)}`]);
    }
  } catch {
    // It is tried again tomorrow.
  }
}

/** Uses the absolute difference, so that a clock that was set back does not postpone it forever. */
function isDue(folder: string, now: number): boolean {
  try {
    return !(Math.abs(now - Number(readFileSync(join(folder, MARK), "utf8"))) < DAY_MS);
  } catch {
    return true;
  }
}

/** Deletes the refs of commits that are no longer checkpoints. Returns whether there were any. */
export async function forgetNames(
  { git, folder }: Pick<Shadow, "git" | "folder">,
  ids: ReadonlySet<string>,
): Promise<boolean> {
  const listed = (await git.run(["for-each-ref", "--format=%(refname)", REFS])).toString("latin1");
  const names = listed.split("\n").filter((name) => name !== "" && !ids.has(name.slice(REFS.length + 1)));
  if (names.length === 0) return false;
  const shadow = join(folder, "shadow.git");
  for (const place of [shadow, join(shadow, REFS)]) removeStaleLocks(place);
  await git.run(["update-ref", "--stdin"], { input: names.map((name) => `delete ${name}\n`).join("") });
  return true;
}

/** A git process that was killed leaves locks behind that block every other one. */
function removeStaleLocks(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".lock"))) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > HOUR_MS) rmSync(path, { force: true });
  }
}
