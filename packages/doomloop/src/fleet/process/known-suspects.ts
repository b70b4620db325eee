import { createRecencyTable } from "../recency-table.ts";
import { isDeadEnd, MAX_COUNTED, type Suspect, type Thresholds } from "../store.ts";

/** The fleet's suspects that this process knows of. Some of them are dead ends. */
export type KnownSuspects = ReturnType<typeof createKnownSuspects>;

interface Known {
  readonly suspect: Suspect;
  readonly until: number;
  /** When it was a dead end for the first time, as far as this process knows; undefined if it is none. */
  readonly since: number | undefined;
  /** When to ask the store whether anybody has objected: a random time, so that not all processes ask at once. */
  readonly asksAt: number;
}

/** What decides when a suspect is a dead end, and when that is told. */
export interface SuspectTerms extends Thresholds {
  readonly windowMs: number;
  /** How long others may object. */
  readonly confirmMs: number;
}

const MAX_KNOWN = 512;
/** A part of `confirmMs` over which processes spread their questions at least. */
const SPREAD = 0.3;

/** `spreadMs` is the time over which the processes of a large fleet spread their questions. */
export function createKnownSuspects(terms: SuspectTerms, now: () => number, spreadMs: () => number = () => 0) {
  const { confirmMs, windowMs } = terms;
  const known = createRecencyTable<Known>(MAX_KNOWN);
  let heardAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  const find = (name: string): Known | undefined => {
    const found = known.get(name);
    if (found === undefined || found.until > now()) return found;
    known.delete(name);
    return undefined;
  };

  /** The suspect as it is now: its counts hold for less time than when it was announced. */
  const current = ({ suspect, until }: Known): Suspect => ({ ...suspect, lastsMs: until - now() });

  const widest = (): number => Math.max(SPREAD * confirmMs, spreadMs());

  const isConfirmed = ({ since = Infinity }: Known): boolean => heardAt >= since + confirmMs;

  return {
    /** False also for a suspect that has expired. */
    has: (name: string): boolean => find(name) !== undefined,
    /** Counts only grow until they are cleared, so a lower count is an older one that arrived late. */
    set(latest: Suspect, ageMs = 0): void {
      const before = find(latest.name);
      const { calls = 0, workers = 0 } = before?.suspect ?? {};
      const suspect = { ...latest, calls: Math.max(calls, latest.calls), workers: Math.max(workers, latest.workers) };
      const toldAt = isDeadEnd(latest, terms) ? now() - ageMs : Infinity;
      const since = Math.min(before?.since ?? Infinity, toldAt);
      const asksAt = before?.since === since ? before.asksAt : since + confirmMs + Math.random() * widest();
      known.set(latest.name, {
        ...{ suspect, until: now() + latest.lastsMs, asksAt },
        since: Number.isFinite(since) ? since : undefined,
      });
    },
    delete: (name: string) => known.delete(name),
    /** The store is asked for the news. Whether it tells them or not, it is not asked again about the same dead ends before the next heartbeat. */
    asked: () => {
      askedAt = now();
    },
    /** All news up to this moment were read: nobody has objected so far. */
    heardAll: () => {
      heardAt = now();
    },
    /** The suspect, if it is a dead end and nobody has objected in time. */
    deadEnd(name: string): Suspect | undefined {
      const found = find(name);
      return found !== undefined && isConfirmed(found) ? current(found) : undefined;
    },
    /** Whether the fleet knows enough about a suspect, so that one more report of this process would change nothing. */
    isSettled(name: string, hasReported: boolean): boolean {
      const suspect = find(name)?.suspect;
      return suspect !== undefined && suspect.calls >= MAX_COUNTED && (hasReported || isDeadEnd(suspect, terms));
    },
    /** When the counts of a suspect began, by the clock of this process. */
    beganAt: ({ lastsMs }: Suspect): number => now() - (windowMs - Math.min(lastsMs, windowMs)),
    /** How long until the store should be asked about a dead end that is not confirmed; Infinity if there is none, or if it was asked. */
    untilAskedMs(): number {
      const times = [...known.entries()].flatMap(([, each]) =>
        each.since !== undefined && each.until > now() && each.asksAt > askedAt && !isConfirmed(each)
          ? each.asksAt
          : [],
      );
      return times.length === 0 ? Infinity : Math.max(0, Math.min(...times) - now());
    },
    list(): Suspect[] {
      const found = [...known.entries()].flatMap(([name]) => find(name) ?? []);
      return found.map(current);
    },
    isEmpty: () => known.size() === 0,
  };
}
