import { DoomloopError } from "./doomloop-error.ts";
import { type Packed, packSnapshot, unpackSnapshot } from "./memory/pack-snapshot.ts";
import type { SavedRun } from "./memory/run-state.ts";
import type { SavedLadder } from "./policy/ladder.ts";
import type { Tally } from "./stats.ts";

/** The version that this code writes. It reads this one; a change of form comes with a reader of the one before. */
const SNAPSHOT_VERSION = 2;

/**
 * A guard at rest: one JSON value of at most 64 KB, opaque to callers.
 *
 * Holds hashes and numbers, the names of tools that look like identifiers, and no arguments, results or words. The
 * hashes are not secret: whoever has one and guesses what it stands for can confirm the guess.
 */
export interface Snapshot {
  readonly version: number;
  readonly memory: Packed;
}

/** What a guard remembers. */
export interface GuardMemory {
  readonly run: SavedRun;
  readonly ladder: SavedLadder;
  readonly allowed: readonly string[];
  readonly allowedCalls: readonly string[];
  readonly announced: readonly string[];
  readonly life: number;
  readonly tally: Tally;
  readonly messageOccasion: number;
}

const MAX_BYTES = 65_536;
const encoder = new TextEncoder();

/** The memory as a snapshot. Where it would be too large, the calls that were made longest ago are left out. */
export function writeSnapshot(memory: GuardMemory): Snapshot {
  const { calls, round, turn } = memory.run.counters;
  const snapshot = { version: SNAPSHOT_VERSION, memory: packSnapshot(memory, [calls, round, turn]) };
  const kept = memory.run.calls.length;
  if (kept === 0 || encoder.encode(JSON.stringify(snapshot)).length <= MAX_BYTES) return snapshot;
  const fewer = memory.run.calls.slice(Math.ceil(kept / 8));
  return writeSnapshot({ ...memory, run: { ...memory.run, calls: fewer } });
}

/** Reads a snapshot; throws for one that this code cannot read. */
export function readSnapshot(snapshot: Snapshot): GuardMemory {
  const isObject = typeof snapshot === "object" && snapshot !== null;
  if (!isObject || snapshot.version !== SNAPSHOT_VERSION) {
    const got = isObject ? `version ${String(snapshot.version)}` : snapshot === null ? "null" : typeof snapshot;
    throw new DoomloopError("invalid-snapshot", `snapshot: version ${SNAPSHOT_VERSION} is required, got ${got}`);
  }
  return unpackSnapshot(snapshot.memory) as GuardMemory;
}
