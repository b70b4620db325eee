import { hasFormOf, type Packed, pack, unpack } from "./collections/pack.ts";
import { DoomloopError } from "./doomloop-error.ts";
import { createMemory, type GuardMemory } from "./guard-memory.ts";
import { utf8Length } from "./identity/utf8.ts";
import type { JudgeKind } from "./judge.ts";
import { settleIds } from "./reading/open-calls.ts";

/** The version that this code writes and reads. Once one was released, a change of the form must also read the version before. */
const SNAPSHOT_VERSION = 9;

/**
 * A saved guard: one JSON value of at most 64 KB, opaque to callers.
 *
 * Holds hashes, numbers and names of tools that look like identifiers, but no arguments, results or words. The hashes are
 * not secret: somebody who guesses what one stands for can confirm the guess.
 */
export interface Snapshot {
  readonly version: number;
  /** Who remembered it. */
  readonly judge: string;
  readonly memory: Packed;
}

const MAX_SNAPSHOT_BYTES = 65_536;

/** The memory as a snapshot. If it would be too large, the oldest topics are left out. */
export function writeSnapshot(memory: GuardMemory, judge: Pick<JudgeKind, "name" | "trimmed">): Snapshot {
  const { run } = memory;
  settleIds(run);
  for (let kept = 1; ; kept -= 1 / 8) {
    const part = Math.max(0, kept);
    const left = { ...memory, run: { ...run, latest: latestOf(run.latest, part) }, judge: judge.trimmed(memory.judge, part) };
    const snapshot = { version: SNAPSHOT_VERSION, judge: judge.name, memory: pack(left) };
    if (kept <= 0 || utf8Length(JSON.stringify(snapshot)) <= MAX_SNAPSHOT_BYTES) return snapshot;
  }
}

function latestOf<Item>(list: readonly Item[], part: number): readonly Item[] {
  return list.slice(list.length - Math.floor(list.length * part));
}

/** Reads a saved guard; throws if this code cannot read it. What another judge remembered is left out. */
export function readSnapshot(snapshot: Snapshot, judge: Pick<JudgeKind, "name" | "createMemory">): GuardMemory {
  const isObject = typeof snapshot === "object" && snapshot !== null;
  if (!isObject || snapshot.version !== SNAPSHOT_VERSION) {
    const got = isObject ? `version ${String(snapshot.version)}` : snapshot === null ? "null" : typeof snapshot;
    refuse(`version ${SNAPSHOT_VERSION} is required, got ${got}`);
  }
  const form = createMemory(judge.createMemory());
  const memory = unpack(snapshot.memory) as GuardMemory;
  if (snapshot.judge !== judge.name && hasFormOf(memory, { judge: {} })) memory.judge = form.judge;
  if (!hasFormOf(memory, form)) refuse("a whole memory is required");
  return memory;
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-snapshot", `snapshot: ${message}`);
}
