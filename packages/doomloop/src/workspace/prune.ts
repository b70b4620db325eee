import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readLastRestore } from "./carry-out.ts";
import type { CheckpointBook } from "./checkpoint-book.ts";
import type { Shadow } from "./shadow.ts";
import { writeSafely } from "./write-safely.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * DAY_MS;
const KEPT_LATEST = 50;
const MARK = "pruned";
const REFS = "refs/checkpoints";

/**
 * Forgets old checkpoints, at most once a day: those that are neither among the latest nor of the last days, nor needed for an undo. Then
 * it lets git remove what no checkpoint and no index has. Whatever is cut short here, the next time goes on with.
 *
 * It is no part of what was asked for: a fault is none of the caller's.
 */
export async function prune(shadow: Shadow, book: CheckpointBook, now: number): Promise<void> {
  try {
    if (book.count() <= KEPT_LATEST || !isDue(shadow.folder, now)) return;
    // First, so that what fails or takes long is not tried again at once.
    writeSafely(join(shadow.folder, MARK), String(now));
    const { safety, target } = readLastRestore(shadow.folder) ?? {};
    const ids = book.keepOnly(
      ({ id, at }, place) => place < KEPT_LATEST || now - at < KEPT_MS || id === safety || id === target,
    );
    if (await forgetNames(shadow, new Set(ids))) {
      // What was written just now may belong to work of a process that was killed, whose git still runs.
      await shadow.git.run(["prune", `--expire=${Math.floor((now - HOUR_MS) / 1000)}`]);
    }
  } catch {
    // Tomorrow, again.
  }
}

/** A clock that was set back does not put it off for good. */
function isDue(folder: string, now: number): boolean {
  try {
    return !(Math.abs(now - Number(readFileSync(join(folder, MARK), "utf8"))) < DAY_MS);
  } catch {
    return true;
  }
}

/** Takes away the names of commits that are in no book. Returns whether there were any. */
async function forgetNames({ git, folder }: Shadow, ids: ReadonlySet<string>): Promise<boolean> {
  const listed = (await git.run(["for-each-ref", "--format=%(refname)", REFS])).toString("latin1");
  const names = listed.split("\n").filter((name) => name !== "" && !ids.has(name.slice(REFS.length + 1)));
  if (names.length === 0) return false;
  const shadow = join(folder, "shadow.git");
  for (const place of [shadow, join(shadow, REFS)]) removeStaleLocks(place);
  await git.run(["update-ref", "--stdin"], { input: names.map((name) => `delete ${name}\n`).join("") });
  return true;
}

/** A git that was killed leaves locks, which no other git gets past. */
function removeStaleLocks(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".lock"))) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > HOUR_MS) rmSync(path, { force: true });
  }
}
