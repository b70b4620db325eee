import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";
import { MAX_COUNTED } from "./dead-ends.ts";
import type { NameOf } from "./store-names.ts";

/** What waits to be told of one fingerprint. */
export interface Suspicion {
  readonly name: string;
  tool: string;
  /** Something came of it first: what was counted before counts no more. */
  isCleared: boolean;
  /** Its barren calls since, as the store names them, up to what is counted. */
  readonly calls: Set<string>;
  /** All that were made, those that count no more as well. */
  reports: number;
  readonly since: number;
}

/** What this process has to tell the store. Bounded: what does not fit, or has waited for too long, is lost. */
export type Suspicions = ReturnType<typeof createSuspicions>;

const MAX_WAITING = 1000;
const MAX_TOLD = 4096;
/** Fingerprints that are told of at once. With the pause between two times, a process's quota: some 50 a second. */
const AT_ONCE = 16;
const MAX_WAIT_MS = 30_000;

/** `onLost` hears of reports that are given up. */
export function createSuspicions(now: () => number, nameOf: NameOf, onLost: (reports: number) => void) {
  const waiting = new Map<string, Suspicion>();
  /** Fingerprints that this process has told of, and not cleared since. */
  const told = createRecencyTable<true>(MAX_TOLD);
  let isHeld = false;

  const lose = (name: string, { reports }: Suspicion): void => {
    waiting.delete(name);
    if (reports > 0) onLost(reports);
  };

  const begin = (name: string): Suspicion => {
    const [oldest] = waiting;
    if (waiting.size >= MAX_WAITING && oldest !== undefined) lose(...oldest);
    const begun = { name, tool: "", isCleared: false, calls: new Set<string>(), reports: 0, since: now() };
    waiting.set(name, begun);
    return begun;
  };

  const clearName = (name: string): void => {
    const { reports = 0 } = waiting.get(name) ?? {};
    waiting.delete(name);
    Object.assign(begin(name), { isCleared: true, reports });
  };

  /** Something came of it before what waits. It stays to be told: the store would count on what counts no more. */
  const clearFirst = (name: string): void => {
    (waiting.get(name) ?? begin(name)).isCleared = true;
  };

  const drop = (): void => {
    for (const [name, suspicion] of waiting) lose(name, suspicion);
  };

  return {
    barren(fingerprint: Digest, tool: string, call: string): void {
      const name = nameOf(fingerprint);
      told.set(fingerprint, true);
      const suspicion = waiting.get(name) ?? begin(name);
      suspicion.tool = tool;
      suspicion.reports++;
      if (suspicion.calls.size < MAX_COUNTED) suspicion.calls.add(call);
    },
    hasTold: (fingerprint: Digest) => told.get(fingerprint) !== undefined,
    /** Something came of it. */
    succeeded(fingerprint: Digest): void {
      told.delete(fingerprint);
      clearName(nameOf(fingerprint));
    },
    clearFirst,
    /** Whether the tenant may tell of nothing more for now. */
    hold(held: boolean): void {
      isHeld = held;
    },
    /** Takes out the first of them, for delivery. */
    take(): Suspicion[] {
      const first = now() - MAX_WAIT_MS;
      for (const [name, suspicion] of waiting) {
        if (suspicion.since >= first) continue;
        lose(name, suspicion);
        if (suspicion.isCleared) clearFirst(name);
      }
      const taken = [...waiting.values()].slice(0, isHeld ? 0 : AT_ONCE);
      for (const { name } of taken) waiting.delete(name);
      return taken;
    },
    isWaiting: () => waiting.size > 0 && !isHeld,
    /** Reports that wait. */
    reports: () => [...waiting.values()].reduce((sum, { reports }) => sum + reports, 0),
    /** Loses all that waits. */
    drop,
    /** Clears these and all that this process has told of, as far as there is room; what waits is lost. */
    clearAll(names: readonly string[]): void {
      drop();
      const own = [...told.entries()].map(([fingerprint]) => nameOf(fingerprint));
      for (const name of new Set([...names, ...own].slice(0, MAX_WAITING))) clearName(name);
      told.clear();
    },
  };
}
