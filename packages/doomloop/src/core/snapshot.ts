import { hasFormOf, type Packed, pack, unpack } from "./collections/pack.ts";
import { DoomloopError } from "./doomloop-error.ts";
import { createMemory, type GuardMemory } from "./guard-memory.ts";
import { settle } from "./memory/run-state.ts";

/** The version that this code writes. It reads this one; a change of form comes with a reader of the one before. */
const SNAPSHOT_VERSION = 5;

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

/** A guard at rest as it is, for whoever keeps it in a format that knows maps: quicker than a snapshot, several times as long. */
export interface RestingGuard {
  readonly version: number;
  /** Still the guard's own: to be written before the guard is used again. */
  readonly plain: GuardMemory;
}

const MAX_BYTES = 65_536;
const encoder = new TextEncoder();

/** The memory as a snapshot. Where it would be too large, the calls that were made longest ago are left out. */
export function writeSnapshot(memory: GuardMemory): Snapshot {
  const { run } = memory;
  settle(run);
  for (let kept = 1; ; kept -= 1 / 8) {
    const part = { ...run, byCall: latestOf(run.byCall, kept), byLike: latestOf(run.byLike, kept) };
    const snapshot = {
      version: SNAPSHOT_VERSION,
      memory: pack({ ...memory, run: part }, [run.calls, run.round, run.turn]),
    };
    if (kept <= 0 || encoder.encode(JSON.stringify(snapshot)).length <= MAX_BYTES) return snapshot;
  }
}

/** The latest part of a map. */
function latestOf<Key, Value>(map: Map<Key, Value>, part: number): Map<Key, Value> {
  return part === 1 ? map : new Map([...map].slice(map.size - Math.floor(map.size * Math.max(0, part))));
}

/** The memory at rest: nothing in it is raw. */
export function putToRest(memory: GuardMemory): RestingGuard {
  settle(memory.run);
  return { version: SNAPSHOT_VERSION, plain: memory };
}

/** Reads what was saved; throws for what this code cannot read. */
export function readSnapshot(snapshot: Snapshot | RestingGuard): GuardMemory {
  const isObject = typeof snapshot === "object" && snapshot !== null;
  if (!isObject || snapshot.version !== SNAPSHOT_VERSION) {
    const got = isObject ? `version ${String(snapshot.version)}` : snapshot === null ? "null" : typeof snapshot;
    throw new DoomloopError("invalid-snapshot", `snapshot: version ${SNAPSHOT_VERSION} is required, got ${got}`);
  }
  const memory = ("plain" in snapshot ? snapshot.plain : unpack(snapshot.memory)) as GuardMemory;
  if (!hasFormOf(memory, createMemory()))
    throw new DoomloopError("invalid-snapshot", "snapshot: a whole memory is required");
  return memory;
}
