import type { FleetMember } from "doomloop/fleet";
import { reportName, runName } from "../../../packages/doomloop/src/fleet/redis/fingerprint-names.ts";
import type { StoredCall } from "./read-store.ts";

export interface Audit {
  /** Different calls that were reported. */
  readonly reported: number;
  /** Of those, in the store. */
  readonly stored: number;
  /** In the store, but never reported, or more than once in an epoch, or under the wrong fingerprint. Must be none. */
  readonly overCount: number;
}

/** Every call that was reported, however the store fares: what counts are held to. */
export interface Ledger {
  readonly size: number;
  /** The same member, with its reports written down first. */
  keep(worker: string, member: FleetMember): FleetMember;
  note(worker: string, id: string, fingerprint: string): void;
  audit(stored: Iterable<StoredCall>): Audit;
}

export function createLedger(): Ledger {
  const fingerprintOf = new Map<string, string>();
  const runs = new Map<string, string>();
  const note = (worker: string, id: string, fingerprint: string) => {
    const run = runs.get(worker) ?? runName({ worker, run: "" });
    runs.set(worker, run);
    fingerprintOf.set(`${run}${reportName(id)}`, fingerprint);
  };
  return {
    get size() {
      return fingerprintOf.size;
    },
    note,
    keep: (worker, member) => ({
      ...member,
      report(report) {
        if (report.isBarren) note(worker, report.id, report.fingerprint);
        member.report(report);
      },
    }),
    audit(stored) {
      const seen = new Set<string>();
      const counted = new Set<string>();
      // A fingerprint is stored under a keyed hash: which one is learned from its first call, and must then be the only one.
      const nameOf = new Map<string, string>();
      const fingerprintAt = new Map<string, string>();
      let overCount = 0;
      for (const { epoch, name, call } of stored) {
        const fingerprint = fingerprintOf.get(call);
        // What a store took right after its restart, too late for its reply, is reported again in the epoch that follows.
        if (fingerprint === undefined || counted.has(`${epoch} ${call}`)) {
          overCount += 1;
          continue;
        }
        counted.add(`${epoch} ${call}`);
        seen.add(call);
        if (!nameOf.has(fingerprint)) nameOf.set(fingerprint, name);
        if (!fingerprintAt.has(name)) fingerprintAt.set(name, fingerprint);
        if (nameOf.get(fingerprint) !== name || fingerprintAt.get(name) !== fingerprint) overCount += 1;
      }
      return { reported: fingerprintOf.size, stored: seen.size, overCount };
    },
  };
}
