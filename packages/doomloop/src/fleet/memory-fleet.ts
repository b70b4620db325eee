import { setRecent } from "../core/collections/bounded.ts";
import { DoomloopError } from "../core/doomloop-error.ts";
import { safely } from "../core/faults.ts";
import { type Digest, digestOfAll, isDigest } from "../core/identity/digest.ts";
import {
  createSteadyClock,
  type Fleet,
  type FleetGlobalFinding,
  type FleetOptions,
  type FleetWorker,
  isWorkerName,
  MAX_CALLS,
  resolveFleetOptions,
  resolveFleetWorker,
} from "./fleet.ts";
import { memberOf } from "./fleet-evidence.ts";
import type { FleetReport, FleetVerdict } from "./fleet-member.ts";

/** A fleet within one process. */
export interface MemoryFleet extends Fleet {
  /** Returns the fleet as one JSON value, from which another process can continue. */
  toJSON(): MemoryFleetSnapshot;
  /**
   * Replaces what this fleet knows with what {@link MemoryFleet.toJSON} returned. Members stay joined. The time since
   * the snapshot counts. Throws a `DoomloopError` (`invalid-snapshot`) and changes nothing if the value is not a
   * snapshot. Parts of a snapshot that cannot be read are left out.
   */
  restoreFrom(snapshot: MemoryFleetSnapshot): void;
}

/** A saved memory fleet. Opaque. It holds digests and the names of tools and workers, no arguments and no results. */
interface MemoryFleetSnapshot {
  readonly version: 2;
  /** When it was saved, by the fleet's clock. */
  readonly at: number;
  /** The one whose latest report is the oldest comes first. */
  readonly tallies: readonly SavedTally[];
}

/** Calls with their ages, the oldest first. Without a worker, a call no longer counts. */
type SavedCall = readonly [id: Digest, ageMs: number, worker: string | null];
type SavedTally = readonly [fingerprint: Digest, tool: string, calls: readonly SavedCall[]];

/** The calls with one fingerprint, by their ids, the oldest first. */
interface Tally {
  /** The tool's name in the latest report. */
  tool: string;
  readonly calls: Map<Digest, Call>;
}

interface Call {
  readonly at: number;
  /** Undefined if the call no longer counts. It is still recognised if its report arrives again. */
  readonly worker: string | undefined;
}

const MAX_TOOL_NAME = 128;
/** Of more fingerprints, the one whose latest report is the oldest is forgotten first. */
const MAX_FINGERPRINTS = 10_000;

/** Creates a fleet for workers that share this process. Throws a `DoomloopError` for an invalid option. */
export function createMemoryFleet(options: FleetOptions = {}): MemoryFleet {
  const { calls, workers, windowMs, countAll, now } = resolveFleetOptions(options);
  const elapsedMs = createSteadyClock(now);
  /** The one whose latest report is the oldest comes first. */
  const tallies = new Map<Digest, Tally>();

  const forgetOld = (tally: Tally, nowMs: number): void => {
    for (const [id, { at }] of tally.calls) {
      if (nowMs - at < windowMs) return;
      tally.calls.delete(id);
    }
  };

  const take = (from: Required<FleetWorker>, { id, fingerprint, tool, isBarren }: FleetReport): void => {
    const nowMs = elapsedMs();
    for (const [oldest, tally] of tallies) {
      forgetOld(tally, nowMs);
      if (tally.calls.size > 0) break;
      tallies.delete(oldest);
    }
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    const known = tallies.get(fingerprint);
    if (!countAll && isBarren === false) settle(known);
    if (!countAll && isBarren !== true) return;
    const tally = known ?? { tool, calls: new Map() };
    forgetOld(tally, nowMs);
    tally.tool = tool.slice(0, MAX_TOOL_NAME);
    const call = digestOfAll(from.worker, from.run, id);
    // A call that is not remembered could count twice.
    if (!tally.calls.has(call) && tally.calls.size < MAX_CALLS)
      tally.calls.set(call, { at: nowMs, worker: from.worker });
    setRecent(tallies, fingerprint, tally, MAX_FINGERPRINTS);
  };

  const find = (fingerprint: Digest, tally: Tally | undefined, nowMs: number): FleetGlobalFinding | undefined => {
    if (tally === undefined) return undefined;
    forgetOld(tally, nowMs);
    const made = [...tally.calls.values()].flatMap(({ worker }) => worker ?? []);
    const workerNames = [...new Set(made)];
    if (made.length < calls || workerNames.length < workers) return undefined;
    return { fingerprint, tool: tally.tool, calls: made.length, workers: workerNames.length, windowMs, workerNames };
  };

  const verdictOn = (fingerprint: Digest): FleetVerdict | undefined => {
    const found = find(fingerprint, tallies.get(fingerprint), elapsedMs());
    return found && { calls: found.calls, workers: found.workers, windowMs };
  };

  return {
    join(worker) {
      const from = resolveFleetWorker(worker, countAll);
      return memberOf({
        world: from.world,
        // Faults only under-count: an unreadable report is not counted, and if the clock throws, nothing is found.
        report: (report) => safely(() => take(from, report)),
        verdict: (fingerprint) => safely(() => verdictOn(fingerprint)),
      });
    },
    findings() {
      const nowMs = safely(elapsedMs);
      if (nowMs === undefined) return [];
      const found = [...tallies].flatMap(([fingerprint, tally]) => find(fingerprint, tally, nowMs) ?? []);
      return found.sort((one, other) => other.calls - one.calls);
    },
    clear: () => tallies.clear(),
    flush: () => Promise.resolve(),
    toJSON() {
      const nowMs = elapsedMs();
      for (const tally of tallies.values()) forgetOld(tally, nowMs);
      const saved = [...tallies].filter(([, tally]) => tally.calls.size > 0);
      return { version: 2, at: now(), tallies: saved.map((each) => savedTally(each, nowMs)) };
    },
    restoreFrom(snapshot) {
      const saved = checkSnapshot(snapshot);
      const savedMs = elapsedMs() - Math.max(0, now() - saved.at);
      tallies.clear();
      for (const each of saved.tallies) {
        const [fingerprint, tally] = readTally(each, savedMs) ?? [];
        if (tally !== undefined) setRecent(tallies, fingerprint!, tally, MAX_FINGERPRINTS);
      }
    },
  };
}

/** A call succeeded: earlier ones no longer count. */
function settle(tally: Tally | undefined): void {
  for (const [id, { at }] of tally?.calls ?? []) tally!.calls.set(id, { at, worker: undefined });
}

function savedTally([fingerprint, { tool, calls }]: [Digest, Tally], nowMs: number): SavedTally {
  return [fingerprint, tool, [...calls].map(([id, { at, worker }]) => [id, nowMs - at, worker ?? null])];
}

/** Checks the outer form of a snapshot; throws if this version cannot read it. */
function checkSnapshot(snapshot: unknown): MemoryFleetSnapshot {
  const { version, at, tallies } = (snapshot ?? {}) as Partial<MemoryFleetSnapshot>;
  if (version === 2 && Number.isFinite(at) && Array.isArray(tallies)) return snapshot as MemoryFleetSnapshot;
  throw new DoomloopError("invalid-snapshot", "fleet snapshot: what toJSON of a memory fleet returns is required");
}

/** Reads a saved tally; undefined if there is nothing in it that can be read. */
function readTally(saved: unknown, savedMs: number): [Digest, Tally] | undefined {
  const [fingerprint, tool, calls] = listIn(saved);
  if (!isDigest(fingerprint) || typeof tool !== "string") return undefined;
  const readable = listIn(calls).flatMap((call): [Digest, Call][] => {
    const [id, ageMs, worker] = listIn(call);
    if (!isDigest(id) || typeof ageMs !== "number" || !(ageMs >= 0 && ageMs < Infinity)) return [];
    if (worker !== null && !isWorkerName(worker)) return [];
    return [[id, { at: savedMs - ageMs, worker: worker ?? undefined }]];
  });
  const oldestFirst = readable.sort(([, one], [, other]) => one.at - other.at).slice(0, MAX_CALLS);
  if (oldestFirst.length === 0) return undefined;
  return [fingerprint, { tool: tool.slice(0, MAX_TOOL_NAME), calls: new Map(oldestFirst) }];
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
