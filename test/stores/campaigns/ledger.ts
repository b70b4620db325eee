import type { FleetMember } from "doomloop/fleet";
import { Redis } from "ioredis";
import { createNameOf } from "../../../packages/doomloop/src/fleet/process/fleet-names.ts";
import type { Server } from "../servers/server.ts";
import { KEY } from "./campaign-fleet.ts";

const KEYS_AT_ONCE = 500;

interface Audit {
  /** Different barren calls that were reported. Each counts once. */
  readonly reported: number;
  /** Those that count in the store. */
  readonly stored: number;
  /** Fingerprints for which the store counts more calls or processes than were reported since the last success. Must be 0. */
  readonly overCounts: number;
  /** Verdicts with more calls or workers than were reported. Must be 0. */
  readonly falseVerdicts: number;
}

/** Every reported call, whatever happens to the store. The counts are checked against it. */
export interface Ledger {
  /** Wraps a member: records its reports first, and checks its verdicts against them. */
  keep(process: string, worker: string, member: FleetMember): FleetMember;
  /** Starts a new part of the campaign. No report may be under way. */
  draw(): void;
  audit(stored: Iterable<StoredCount>): Audit;
}

interface Entry {
  /** For each call, the part of the campaign in which it was last reported, and the process. */
  readonly calls: Map<string, { readonly part: number; readonly process: string }>;
  readonly workers: Set<string>;
  /** The processes that have something to clear. */
  readonly suspectedBy: Set<string>;
  /** Calls from earlier parts no longer count. */
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
        if (report.fingerprint === undefined) return member.report(report);
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

/** The store's counts for one fingerprint. */
interface StoredCount {
  /** The fingerprint's name in the store. */
  readonly name: string;
  readonly calls: number;
  readonly witnesses: number;
}

/** Reads all counts of a tenant directly from the servers, without the proxies. */
export async function readStore(primaries: readonly Server[], tenant: string): Promise<StoredCount[]> {
  const counts = await Promise.all(primaries.map(({ port }) => readServer(port, tenant)));
  return counts.flat();
}

async function readServer(port: number, tenant: string): Promise<StoredCount[]> {
  const client = new Redis({ host: "127.0.0.1", port });
  try {
    const start = `dl3:{${tenant}:`;
    // A scan may return a key twice if the server resizes its table meanwhile.
    const names = new Set<string>();
    for await (const keys of client.scanStream({ match: `${start}*}:c`, count: KEYS_AT_ONCE })) {
      for (const key of keys as string[]) names.add(key.slice(start.length, -"}:c".length));
    }
    const all = [...names];
    const counts: StoredCount[] = [];
    for (let at = 0; at < all.length; at += KEYS_AT_ONCE) {
      const some = all.slice(at, at + KEYS_AT_ONCE);
      const pipeline = client.pipeline();
      for (const name of some) pipeline.pfcount(`${start}${name}}:c`).pfcount(`${start}${name}}:w`);
      const replies = (await pipeline.exec()) ?? [];
      // Foreign data counts as 0.
      const numbers = replies.map(([error, count]) => (error ? 0 : (count as number)));
      counts.push(...some.map((name, of) => ({ name, calls: numbers[2 * of]!, witnesses: numbers[2 * of + 1]! })));
    }
    return counts;
  } finally {
    client.disconnect();
  }
}
