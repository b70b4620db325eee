import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBlobReader } from "./blob-reader.ts";
import { openFolder } from "./open-folder.ts";
import type { RawPath } from "./raw-path.ts";
import { restoreFile } from "./restore-file.ts";
import { openJournal, type RestoreJournal, type RestorePlan } from "./restore-journal.ts";
import type { Shadow } from "./shadow-repository.ts";
import { writeSafely } from "./write-safely.ts";

export interface RunRestoreOptions {
  readonly isRecovery: boolean;
  readonly onStep: (step: string) => void;
}

/** What an undo needs to know about the latest restore. */
export type LastRestore = Pick<RestorePlan, "kind" | "target" | "safety"> & { readonly paths: readonly RawPath[] };

const LAST = "last-restore.json";

/** Does the rest of what a journal plans, records the restore for an undo, and deletes the journal. */
export async function runRestore(shadow: Shadow, journal: RestoreJournal, options: RunRestoreOptions): Promise<void> {
  const { plan, outcomes } = journal;
  const { isRecovery, onStep } = options;
  const staying = new Set(plan.staying);
  const permissions = new Map(plan.permissions);
  const blobs = createBlobReader(shadow.git);
  try {
    onStep("planned");
    for (const [at, file] of plan.files.entries()) {
      if (outcomes.has(at)) continue;
      const prefix = `.doomloop-${plan.id}-${at}`;
      const means = { root: shadow.root, blobs, prefix, staying, permissions, isRecovery, onStep };
      const outcome = await restoreFile(file, means);
      journal.note(at, outcome);
      onStep("noted");
    }
    for (const folder of plan.folders) makeFolder(shadow.root, folder);
  } finally {
    await blobs.close();
  }
  // A restore that changed nothing has nothing to undo, so the previous one stays the latest.
  if (plan.files.some((_, at) => outcomes.get(at)?.leftBecause === undefined)) {
    writeSafely(join(shadow.folder, LAST), JSON.stringify(lastOf(plan)));
  }
  onStep("recorded");
  journal.end();
  onStep("ended");
}

/** The latest completed restore, or the one in the journal if `isPendingToo`; undefined if there was none. */
export function readLastRestore(folder: string, isPendingToo = false): LastRestore | undefined {
  const pending = isPendingToo ? openJournal(folder) : undefined;
  if (pending !== undefined) return lastOf(pending.plan);
  try {
    return JSON.parse(readFileSync(join(folder, LAST), "utf8")) as LastRestore;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function lastOf({ kind, target, safety, files }: RestorePlan): LastRestore {
  return { kind, target, safety, paths: files.map(({ path }) => path) };
}

/** If it fails, something else is at that path and stays there. */
function makeFolder(root: string, folder: RawPath): void {
  try {
    openFolder(root, folder, { isCreated: true }).close();
  } catch {
    return;
  }
}
