import { requireInteger } from "../../core/doomloop-error.ts";
import { safely } from "../../core/faults.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import {
  createSteadyClock,
  type Fleet,
  type FleetGlobalFinding,
  type FleetOptions,
  type FleetWorker,
  reportIdentity,
  resolveFleetOptions,
  resolveFleetWorker,
  worldOf,
} from "../fleet.ts";
import { memberOf } from "../fleet-evidence.ts";
import type { FleetReport, FleetVerdict } from "../fleet-member.ts";
import { createRecencyTable } from "../recency-table.ts";
import { checkMemoryFleetSnapshot, type MemoryFleetSnapshot, readTally, saveTally } from "./memory-fleet-snapshot.ts";
import { createTally, type Tally } from "./tally.ts";

export interface MemoryFleetOptions extends FleetOptions {
  /**
   * Number of parts that the window is divided into. A call counts until its part falls out of the window. That is
   * after the window's length at the latest, and up to one part earlier.
   * @default 10
   */
  readonly buckets?: number;
  /**
   * Fingerprints that are remembered. If there are more, the one whose latest report is the oldest is forgotten first.
   * @default 10000
   */
  readonly maxFingerprints?: number;
  /**
   * Calls that are remembered for one fingerprint within a window. Calls and workers are counted up to this number.
   * @default 256
   */
  readonly maxCallsPerFingerprint?: number;
}

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

/** Creates a fleet for workers that share this process. Throws a `DoomloopError` for an invalid option. */
export function createMemoryFleet(options: MemoryFleetOptions = {}): MemoryFleet {
  const { buckets = 10, maxFingerprints = 10_000, maxCallsPerFingerprint = 256 } = options;
  const { calls, workers, windowMs, countAll, now } = resolveFleetOptions(options);
  requireInteger("fleet: buckets", buckets, 1, 100);
  requireInteger("fleet: maxFingerprints", maxFingerprints, 1);
  requireInteger("fleet: maxCallsPerFingerprint", maxCallsPerFingerprint, calls);

  const bucketMs = windowMs / buckets;
  const elapsedMs = createSteadyClock(now);
  const tallies = createRecencyTable<Tally>(maxFingerprints);
  const slotNow = (): number => Math.floor(elapsedMs() / bucketMs);
  const firstSlot = (): number => slotNow() - buckets + 1;

  /** Tallies are ordered by their latest report, so those that have expired come first. */
  const sweep = (first: number): void => {
    for (const [fingerprint, tally] of tallies.entries()) {
      if (tally.latestSlot >= first) return;
      tallies.delete(fingerprint);
    }
  };

  const take = (from: Required<FleetWorker>, { id, fingerprint, tool, isBarren }: FleetReport): void => {
    const slot = slotNow();
    sweep(slot - buckets + 1);
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    const known = tallies.get(fingerprint);
    if (!countAll && isBarren === false) known?.settle();
    if (!countAll && isBarren !== true) return;
    const tally = known ?? createTally(maxCallsPerFingerprint);
    tally.forgetBefore(slot - buckets + 1);
    tally.add(reportIdentity(from, id), from.worker, tool, slot);
    tallies.set(fingerprint, tally);
  };

  const find = (fingerprint: Digest, tally: Tally, first: number): FleetGlobalFinding | undefined => {
    tally.forgetBefore(first);
    if (tally.calls < calls) return undefined;
    const workerNames = [...tally.workers()];
    if (workerNames.length < workers) return undefined;
    return { fingerprint, tool: tally.tool, calls: tally.calls, workers: workerNames.length, windowMs, workerNames };
  };

  const verdictOn = (fingerprint: Digest): FleetVerdict | undefined => {
    const tally = tallies.get(fingerprint);
    const found = tally && find(fingerprint, tally, firstSlot());
    return found && { calls: found.calls, workers: found.workers, windowMs };
  };

  return {
    join(worker) {
      const from = resolveFleetWorker(worker);
      return memberOf({
        ...worldOf(from, countAll),
        // Faults only under-count: an unreadable report is not counted, and if the clock throws, nothing is found.
        report: (report) => safely(() => take(from, report)),
        verdict: (fingerprint) => safely(() => verdictOn(fingerprint)),
      });
    },
    findings() {
      const first = safely(firstSlot);
      if (first === undefined) return [];
      const found = [...tallies.entries()].map(([fingerprint, tally]) => find(fingerprint, tally, first));
      return found.filter((finding) => finding !== undefined).sort((one, other) => other.calls - one.calls);
    },
    clear: () => tallies.clear(),
    flush: () => Promise.resolve(),
    toJSON() {
      const first = firstSlot();
      const savedMs = elapsedMs();
      sweep(first);
      const saved = [...tallies.entries()].map(([fingerprint, tally]) => {
        tally.forgetBefore(first);
        return saveTally(fingerprint, tally, (slot) => savedMs - slot * bucketMs);
      });
      return { version: 1, at: now(), tallies: saved };
    },
    restoreFrom(snapshot) {
      const saved = checkMemoryFleetSnapshot(snapshot);
      const sinceMs = Math.max(0, now() - saved.at);
      const restoredMs = elapsedMs();
      tallies.clear();
      for (const each of saved.tallies) {
        const tally = createTally(maxCallsPerFingerprint);
        const fingerprint = readTally(each, tally, (ageMs) => Math.floor((restoredMs - sinceMs - ageMs) / bucketMs));
        if (fingerprint !== undefined) tallies.set(fingerprint, tally);
      }
    },
  };
}
