import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RestoredFile } from "../../workspace/restore-report.ts";
import { isInside } from "../../workspace/workspace-options.ts";
import type { CallWindow } from "./rollback.ts";

/** The clock of a file system may be this much behind. */
const EARLY_MS = 50;
/** Formatters that an agent starts after an edit may still write. */
const LATE_MS = 500;

/**
 * Whether somebody else may have changed one of these files: it changed while no call of the run was under way. A person who saves a file
 * during a call cannot be told from the call.
 */
export function hasForeignChange(
  root: string,
  changes: readonly RestoredFile[],
  windows: readonly CallWindow[],
): boolean {
  return changes.some(({ path }) => {
    const at = changedAt(root, path);
    return !windows.some(([from, to]) => at >= from - EARLY_MS && at <= to + LATE_MS);
  });
}

/** When a file was last changed, or the folder from which it is gone. */
function changedAt(root: string, path: string): number {
  for (let place = join(root, path); isInside(root, place); place = dirname(place)) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    // Not the time of the content alone: a file may have been moved here, or its permissions changed.
    if (found !== undefined) return found.ctimeMs;
  }
  return Number.NaN;
}

/** Which runs have written where, and when: those that this process was told of. */
export interface Writers {
  note(run: string, folder: string): void;
  /** Whether another run may have written to a workspace since a time, as far as is known. */
  hasOther(run: string, root: string, since: number): boolean;
}

const MAX_WRITERS = 512;

export function createWriters(now: () => number): Writers {
  const writers = new Map<string, { readonly folder: string; readonly at: number }>();
  /** Nobody knows what happened earlier. */
  let knownSince = now();
  return {
    note(run, folder) {
      writers.delete(run);
      writers.set(run, { folder: realFolder(folder), at: now() });
      if (writers.size <= MAX_WRITERS) return;
      const [oldest, { at }] = writers.entries().next().value!;
      writers.delete(oldest);
      knownSince = Math.max(knownSince, at);
    },
    hasOther(run, root, since) {
      if (since < knownSince) return true;
      return [...writers].some(
        ([name, { folder, at }]) => name !== run && at >= since && (isInside(root, folder) || isInside(folder, root)),
      );
    },
  };
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
