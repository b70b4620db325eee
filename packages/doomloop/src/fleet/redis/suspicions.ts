import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";
import type { NameOf } from "./fleet-keys.ts";
import { MAX_COUNTED } from "./known-suspects.ts";

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
}

/** The queue of reports for the store. It is bounded: reports that do not fit or have waited too long are lost. */
export type Suspicions = ReturnType<typeof createSuspicions>;

const MAX_WAITING = 1000;
const MAX_TOLD = 4096;
/** Fingerprints in one delivery. With the pause between deliveries, this limits a process to about 50 a second. */
const AT_ONCE = 16;
const MAX_WAIT_MS = 30_000;

/** `onLost` is called with the number of reports that are given up. */
export function createSuspicions(now: () => number, nameOf: NameOf, onLost: (reports: number) => void) {
  const waiting = new Map<string, Suspicion>();
  /** Fingerprints that this process has reported and not cleared since. */
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

  /** Notes that the call succeeded before the waiting reports. Without this, the store would go on counting from old calls. */
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
    /** The call succeeded. */
    succeeded(fingerprint: Digest): void {
      told.delete(fingerprint);
      clearName(nameOf(fingerprint));
    },
    clearFirst,
    /** Pauses deliveries while the tenant's quota is used up. */
    hold(held: boolean): void {
      isHeld = held;
    },
    /** Removes and returns the next suspicions to deliver. */
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
