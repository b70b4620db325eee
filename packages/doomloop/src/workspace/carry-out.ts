import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBlobReader } from "./blob-reader.ts";
import { type Journal, openJournal, type RestorePlan } from "./journal.ts";
import { openFolder } from "./open-folder.ts";
import type { RawPath } from "./raw-path.ts";
import { restoreFile } from "./restore-file.ts";
import type { Shadow } from "./shadow.ts";
import { writeSafely } from "./write-safely.ts";

export interface CarryOutOptions {
  readonly isRecovery: boolean;
  readonly onStep: (step: string) => void;
}

/** What there is to know about the latest restore, for undoing it. */
export type LastRestore = Pick<RestorePlan, "kind" | "target" | "safety"> & { readonly paths: readonly RawPath[] };

const LAST = "last-restore.json";

/** Does what a journal says is still to be done, writes down that it can be undone, and forgets the journal. */
export async function carryOut(shadow: Shadow, journal: Journal, options: CarryOutOptions): Promise<void> {
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
  // One that changed nothing has nothing to undo: the one before it stays the latest.
  if (plan.files.some((_, at) => outcomes.get(at)?.leftBecause === undefined)) {
    writeSafely(join(shadow.folder, LAST), JSON.stringify(lastOf(plan)));
  }
  onStep("recorded");
  journal.end();
  onStep("ended");
}

/** The latest restore that came to its end, or will if it is completed first; undefined if there was none. */
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

/** Where that is not possible, something else is there, and stays. */
function makeFolder(root: string, folder: RawPath): void {
  try {
    openFolder(root, folder, { isCreated: true }).close();
  } catch {
    return;
  }
}
