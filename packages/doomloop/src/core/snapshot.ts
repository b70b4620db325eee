import { hasFormOf, type Packed, pack, unpack } from "./collections/pack.ts";
import { DoomloopError } from "./doomloop-error.ts";
import { createMemory, type GuardMemory } from "./guard-memory.ts";
import type { JudgeKind } from "./judge.ts";
import { settleIds } from "./memory/open-calls.ts";
import { createNudges } from "./stats.ts";

/** The version that this code writes and reads. A change of the form must also read the version before. */
const SNAPSHOT_VERSION = 6;

/**
 * A saved guard: one JSON value of at most 64 KB, opaque to callers.
 *
 * Holds hashes, numbers and names of tools that look like identifiers, but no arguments, results or words. The hashes are
 * not secret: somebody who guesses what one stands for can confirm the guess.
 */
export interface Snapshot {
  readonly version: number;
  readonly memory: Packed;
}

const MAX_SNAPSHOT_BYTES = 65_536;
const encoder = new TextEncoder();

/** The memory as a snapshot, its judge's under that judge's name. If it would be too large, the oldest topics are left out. */
export function writeSnapshot({ run, judge, ...others }: GuardMemory, judgeName: string): Snapshot {
  settleIds(run);
  for (let kept = 1; ; kept -= 1 / 8) {
    const part = {
      ...run,
      topics: latestOf(run.topics, kept),
      firsts: latestOf(run.firsts, kept),
      latest: latestOf(run.latest, kept),
    };
    const snapshot = {
      version: SNAPSHOT_VERSION,
      memory: pack({ ...others, run: part, [judgeName]: judge }, [run.calls, run.round, run.turn]),
    };
    if (kept <= 0 || encoder.encode(JSON.stringify(snapshot)).length <= MAX_SNAPSHOT_BYTES) return snapshot;
  }
}

/** The latest part of a map. */
function latestOf<Key, Value>(map: Map<Key, Value>, part: number): Map<Key, Value> {
  return part === 1 ? map : new Map([...map].slice(map.size - Math.floor(map.size * Math.max(0, part))));
}

/** Reads a saved guard, with what its judge saved; throws if this code cannot read it. */
export function readSnapshot(snapshot: Snapshot, judge: Pick<JudgeKind, "name" | "createMemory">): GuardMemory {
  const isObject = typeof snapshot === "object" && snapshot !== null;
  if (!isObject || snapshot.version !== SNAPSHOT_VERSION) {
    const got = isObject ? `version ${String(snapshot.version)}` : snapshot === null ? "null" : typeof snapshot;
    throw new DoomloopError("invalid-snapshot", `snapshot: version ${SNAPSHOT_VERSION} is required, got ${got}`);
  }
  const saved = { ...(unpack(snapshot.memory) as Readonly<Record<string, object>>) };
  const own = { ...judge.createMemory(), ...saved[judge.name] };
  const memory: Record<string, unknown> = { ...oncePartOf({ ...saved.evidence, ...own }), ...saved, judge: own };
  const form = createMemory(judge.createMemory());
  if (!hasFormOf(memory, form)) throw new DoomloopError("invalid-snapshot", "snapshot: a whole memory is required");
  // In the order of a new memory, so that it is saved as it was, and without what another judge has saved.
  return Object.assign(form, Object.fromEntries(Object.keys(form).map((name) => [name, memory[name]])));
}

/** What was saved as part of a judge's memory before the guard kept it itself. */
function oncePartOf(judge: Partial<GuardMemory["nudges"] & Pick<GuardMemory, "restarts">>): Partial<GuardMemory> {
  const { isPending, obeyed, ignored, restarts } = { ...createNudges(), restarts: 0, ...judge };
  return { nudges: { isPending, obeyed, ignored }, restarts };
}
