import { requireInteger } from "../../core/doomloop-error.ts";
import { safely } from "../../core/faults.ts";
import type { FleetReport, FleetVerdict } from "../../core/fleet-member.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import type { Fleet, FleetGlobalFinding, FleetWorker } from "../fleet.ts";
import { type FleetOptions, resolveFleetOptions } from "../fleet-options.ts";
import { reportIdentity, resolveFleetWorker } from "../fleet-worker.ts";
import { createRecencyTable } from "../recency-table.ts";
import { createSteadyClock } from "../steady-clock.ts";
import { checkMemoryFleetSnapshot, type MemoryFleetSnapshot, readTally, saveTally } from "./memory-fleet-snapshot.ts";
import { createTally, type Tally } from "./tally.ts";

export interface MemoryFleetOptions extends FleetOptions {
  /**
   * Parts of the window. A call counts in full until its part falls out of the window: after the window's length at the
   * latest, and one part earlier at the earliest.
   * @default 10
   */
  readonly buckets?: number;
  /**
   * Fingerprints remembered; the one not reported for longest is forgotten first.
   * @default 10000
   */
  readonly maxFingerprints?: number;
  /**
   * Calls remembered of one fingerprint within a window: calls and workers are counted up to here.
   * @default 256
   */
  readonly maxCallsPerFingerprint?: number;
}

/** A fleet within one process. */
export interface MemoryFleet extends Fleet {
  /** The fleet as one JSON value, to go on with in another process. */
  toJSON(): MemoryFleetSnapshot;
  /**
   * Goes on from what {@link MemoryFleet.toJSON} returned, in place of what is known; members stay joined. The time in
   * between counts. Throws a `DoomloopError` (`invalid-snapshot`), and changes nothing, for what is no such value at all;
   * inside of one, what cannot be read is left out.
   */
  restoreFrom(snapshot: MemoryFleetSnapshot): void;
}

/** Creates a fleet for workers that share this process. Throws a `DoomloopError` for options that make no sense. */
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

  /** Tallies stand in the order of their latest report: those that are over stand first. */
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
      return {
        // A report that cannot be read is not counted, and a clock that throws finds nothing: a fault only under-counts.
        report: (report) => safely(() => take(from, report)),
        verdict: (fingerprint) => safely(() => verdictOn(fingerprint)),
      };
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
