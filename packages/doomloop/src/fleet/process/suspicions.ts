import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";
import { MAX_COUNTED } from "../store.ts";
import type { NameOf } from "./fleet-names.ts";

/** The reports about one fingerprint that wait to be sent. */
export interface Suspicion {
  readonly name: string;
  tool: string;
  /** The call succeeded first, so the store must clear its earlier counts. */
  isCleared: boolean;
  /** The barren calls since then, by their names in the store, at most `MAX_COUNTED`. */
  readonly calls: Set<string>;
  /** All reports, including those that no longer count. */
  reports: number;
  readonly since: number;
  /** It is not sent before this time. */
  readonly dueAt: number;
}

/** The queue of reports for the store. It is bounded: reports that do not fit or have waited too long are lost. */
export type Suspicions = ReturnType<typeof createSuspicions>;

/** What a queue needs to know about its process. */
export interface SuspicionTerms {
  readonly now: () => number;
  readonly nameOf: NameOf;
  /** Called with the number of reports that are given up. */
  readonly onLost: (reports: number) => void;
  /** Fingerprints that this process may send within a minute: its share of the tenant's. */
  readonly share: () => number;
  /** The longest time by which a first report is put off, so that a large fleet does not report one thing all at once. */
  readonly spreadMs: () => number;
}

const MAX_WAITING = 1000;
const MAX_TOLD = 4096;
/** Fingerprints in one delivery. With the pause between deliveries, this limits a process to about 50 a second. */
const AT_ONCE = 16;
const MAX_WAIT_MS = 30_000;
const MINUTE_MS = 60_000;

/** A random share of a time, seldom a small one: most processes of a large fleet hear the news before they would report. */
const lateRather = (): number => Math.cbrt(Math.random());

export function createSuspicions({ now, nameOf, onLost, share, spreadMs }: SuspicionTerms) {
  const waiting = new Map<string, Suspicion>();
  /** Fingerprints that this process has reported and not cleared since. */
  const told = createRecencyTable<true>(MAX_TOLD);
  let minuteBegan = Number.NEGATIVE_INFINITY;
  let sent = 0;

  const lose = (name: string, { reports }: Suspicion): void => {
    waiting.delete(name);
    if (reports > 0) onLost(reports);
  };

  const begin = (name: string, dueAt: number): Suspicion => {
    const [oldest] = waiting;
    if (waiting.size >= MAX_WAITING && oldest !== undefined) lose(...oldest);
    const begun = { name, tool: "", isCleared: false, calls: new Set<string>(), reports: 0, since: now(), dueAt };
    waiting.set(name, begun);
    return begun;
  };

  const clearName = (name: string): void => {
    const { reports = 0 } = waiting.get(name) ?? {};
    waiting.delete(name);
    Object.assign(begin(name, now()), { isCleared: true, reports });
  };

  /** Notes that the call succeeded before the waiting reports. Without this, the store would go on counting from old calls. */
  const clearFirst = (name: string, pauseMs = 0): void => {
    (waiting.get(name) ?? begin(name, now() + pauseMs)).isCleared = true;
  };

  const drop = (): void => {
    for (const [name, suspicion] of waiting) lose(name, suspicion);
  };

  /** How many fingerprints may be sent now. */
  const allowance = (): number => {
    if (now() - minuteBegan >= MINUTE_MS) {
      minuteBegan = now();
      sent = 0;
    }
    return Math.max(0, share() - sent);
  };

  return {
    barren(fingerprint: Digest, tool: string, call: string): void {
      const name = nameOf(fingerprint);
      const isFirst = told.get(fingerprint) === undefined;
      told.set(fingerprint, true);
      const suspicion = waiting.get(name) ?? begin(name, now() + (isFirst ? lateRather() * spreadMs() : 0));
      suspicion.tool = tool;
      suspicion.reports++;
      if (suspicion.calls.size < MAX_COUNTED) suspicion.calls.add(call);
    },
    hasTold: (fingerprint: Digest) => told.get(fingerprint) !== undefined,
    /** The call succeeded. */
    succeeded(fingerprint: Digest): void {
      told.delete(fingerprint);
      clearName(nameOf(fingerprint));
    },
    clearName,
    clearFirst,
    /** The share of this minute is used up while reports wait. */
    isHeld: () => waiting.size > 0 && allowance() === 0,
    /** Removes and returns the next suspicions to deliver. `all`: also those that are put off. */
    take(all = false): Suspicion[] {
      const first = now() - MAX_WAIT_MS;
      for (const [name, suspicion] of waiting) {
        if (suspicion.since >= first) continue;
        lose(name, suspicion);
        if (suspicion.isCleared) clearFirst(name);
      }
      const due = [...waiting.values()].filter(({ dueAt }) => all || dueAt <= now());
      const taken = due.slice(0, Math.min(AT_ONCE, allowance()));
      for (const { name } of taken) waiting.delete(name);
      sent += taken.length;
      return taken;
    },
    /** Gives up what waits about a name, because the fleet knows enough. Returns the number of reports. */
    spare(name: string): number {
      const { reports = 0, isCleared = true } = waiting.get(name) ?? {};
      if (!isCleared) waiting.delete(name);
      return isCleared ? 0 : reports;
    },
    /** How long until something can be sent; Infinity if nothing can. */
    untilDueMs(): number {
      if (waiting.size === 0) return Infinity;
      if (allowance() === 0) return minuteBegan + MINUTE_MS - now();
      return Math.max(0, Math.min(...[...waiting.values()].map(({ dueAt }) => dueAt)) - now());
    },
    /** The number of reports that wait. */
    reports: () => [...waiting.values()].reduce((sum, { reports }) => sum + reports, 0),
    /** Gives up everything that waits. */
    drop,
    /** Clears these and everything that this process has reported, as far as there is room. Reports that wait are lost. */
    clearAll(names: readonly string[]): void {
      drop();
      const own = [...told.entries()].map(([fingerprint]) => nameOf(fingerprint));
      for (const name of new Set([...names, ...own].slice(0, MAX_WAITING))) clearName(name);
      told.clear();
    },
  };
}
