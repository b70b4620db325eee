import type { FleetMember } from "doomloop/fleet";
import { createNameOf } from "../../../packages/doomloop/src/fleet/redis/store-names.ts";
import { KEY } from "./campaign-fleet.ts";
import type { StoredCount } from "./read-store.ts";

export interface Audit {
  /** Different barren calls that were reported. */
  readonly reported: number;
  /** Those of them that count in the store. */
  readonly stored: number;
  /** Fingerprints of which the store counts more calls, or more processes, than were reported since something came of them. Must be none. */
  readonly overCounts: number;
  /** Verdicts of more calls, or more workers, than were reported. Must be none. */
  readonly falseVerdicts: number;
}

/** Every call that was reported, however the store fares: what counts are held to. */
export interface Ledger {
  /** The same member, with what it reports written down first, and what it says held to that. */
  keep(process: string, worker: string, member: FleetMember): FleetMember;
  /** Nothing is under way: what is reported from here on comes after all that was reported before. */
  draw(): void;
  audit(stored: Iterable<StoredCount>): Audit;
}

interface Entry {
  /** In which part of the campaign each call was reported last, and by which process. */
  readonly calls: Map<string, { readonly part: number; readonly process: string }>;
  readonly workers: Set<string>;
  /** The processes that have something to take back. */
  readonly suspectedBy: Set<string>;
  /** Calls from before this part count no more. */
  since: number;
}

export function createLedger(tenant: string): Ledger {
  const entries = new Map<string, Entry>();
  const nameOf = createNameOf(KEY, tenant);
  let part = 0;
  let falseVerdicts = 0;

  const entryOf = (fingerprint: string): Entry => {
    const known = entries.get(fingerprint);
    if (known !== undefined) return known;
    const entry = { calls: new Map(), workers: new Set<string>(), suspectedBy: new Set<string>(), since: 0 };
    entries.set(fingerprint, entry);
    return entry;
  };

  return {
    keep: (process, worker, member) => ({
      ...member,
      report(report) {
        const entry = entryOf(report.fingerprint);
        if (report.isBarren) {
          entry.calls.set(`${worker} ${report.id}`, { part, process });
          entry.workers.add(worker);
          entry.suspectedBy.add(process);
        } else if (report.isBarren === false && entry.suspectedBy.delete(process)) entry.since = part;
        member.report(report);
      },
      verdict(fingerprint) {
        const verdict = member.verdict(fingerprint);
        const { calls, workers } = entries.get(fingerprint) ?? { calls: new Set(), workers: new Set() };
        if (verdict !== undefined && (verdict.calls > calls.size || verdict.workers > workers.size)) falseVerdicts++;
        return verdict;
      },
    }),
    draw: () => void part++,
    audit(stored) {
      const expected = new Map(
        [...entries].map(([fingerprint, { calls, since }]) => {
          const counting = [...calls.values()].filter((call) => call.part >= since);
          return [nameOf(fingerprint), counting.map(({ process }) => process)];
        }),
      );
      const counts = [...stored];
      const isTooMuch = ({ name, calls, witnesses }: StoredCount) => {
        const processes = expected.get(name) ?? [];
        return calls > processes.length || witnesses > new Set(processes).size;
      };
      return {
        reported: [...entries.values()].reduce((sum, { calls }) => sum + calls.size, 0),
        stored: counts.reduce((sum, { calls }) => sum + calls, 0),
        overCounts: counts.filter(isTooMuch).length,
        falseVerdicts,
      };
    },
  };
}
