import { DoomloopError } from "./doomloop-error.ts";
import type { SavedRun } from "./memory/run-state.ts";
import type { SavedLadder } from "./policy/ladder.ts";
import type { Tally } from "./stats.ts";

/** The version that this code writes. It reads this one; a change of form comes with a reader of the one before. */
export const SNAPSHOT_VERSION = 1;

/** A guard at rest: one JSON value of at most 64 KB, without raw arguments, results or words. Opaque to callers. */
export interface Snapshot {
  readonly version: number;
  readonly run: SavedRun;
  readonly ladder: SavedLadder;
  readonly allowed: readonly string[];
  readonly tally: Tally;
  readonly messageOccasion: number;
}

/** Checks the outside of a snapshot; throws for one that this code cannot read. */
export function checkSnapshot(snapshot: Snapshot): Snapshot {
  if (typeof snapshot !== "object" || snapshot === null || snapshot.version !== SNAPSHOT_VERSION) {
    const got =
      typeof snapshot === "object" && snapshot !== null ? `version ${String(snapshot.version)}` : typeof snapshot;
    throw new DoomloopError("invalid-snapshot", `snapshot: version ${SNAPSHOT_VERSION} is required, got ${got}`);
  }
  return snapshot;
}
