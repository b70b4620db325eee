import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-view.ts";
import type { Digest } from "../../core/identity/digest.ts";
import { type ClearedCalls, createClearedCalls } from "../cleared-calls.ts";
import { createSteadyClock, type Fleet, type FleetGlobalFinding } from "../fleet.ts";
import { createMemoryFleet } from "../memory/memory-fleet.ts";
import { createRecencyTable, type RecencyTable } from "../recency-table.ts";
import type { FleetStore } from "../store.ts";
import { createDelivery } from "./deliver-suspicions.ts";
import { createFleetModeSwitch, type FleetModeSwitch } from "./fleet-mode.ts";
import { createNameOf, type NameOf, shortHash } from "./fleet-names.ts";
import { createFleetTimers } from "./fleet-timers.ts";
import { createFleetWatch, type FleetCounts, type FleetWatch } from "./fleet-watch.ts";
import { createHeartbeat, findingOf } from "./heartbeat.ts";
import { createKnownSuspects, type KnownSuspects } from "./known-suspects.ts";
import { createRunPermits, type RunPermits } from "./run-permits.ts";
import { createStoreFleetMember } from "./store-fleet-member.ts";
import { type ResolvedStoreOptions, resolveStoreOptions, type StoreFleetOptions } from "./store-fleet-options.ts";
import { createStoreLink, type StoreLink, type StoreState } from "./store-link.ts";
import { createSuspicions, type Suspicions } from "./suspicions.ts";

/** The parts of one process's side of a fleet. */
export interface FleetParts {
  readonly settings: ResolvedStoreOptions;
  readonly store: FleetStore;
  readonly now: () => number;
  readonly nameOf: NameOf;
  readonly link: StoreLink;
  readonly watch: FleetWatch;
  readonly knownSuspects: KnownSuspects;
  readonly cleared: ClearedCalls;
  readonly suspicions: Suspicions;
  /** When calls last worked here. */
  readonly worked: RecencyTable<number>;
  readonly permits: RunPermits;
  readonly mode: FleetModeSwitch;
}

/** The state of a fleet, and what it has done so far in this process. */
interface StoreFleetStats extends FleetCounts {
  readonly store: StoreState;
  readonly mode: FleetMode;
  /** This process's name in the store, by which the news say who cleared a count. */
  readonly witness: string;
  /** Reports that wait to be sent. A report that is not `delivered`, `lost`, `spared` or `queued` is being sent now. */
  readonly queued: number;
  readonly runs: ReturnType<RunPermits["counts"]>;
}

/** A fleet that keeps its counts in a store. Each process also counts its own workers' calls, as `createMemoryFleet` does. */
export interface StoreFleet extends Fleet {
  /**
   * Forgets what this process knows. In the store, it clears the calls that this process reported or that the news
   * suspects. The others expire with their window.
   */
  clear(): void;
  stats(): StoreFleetStats;
  /**
   * Delivers the reports that wait, for at most `deadlineMs`, and then stops. Members go on as if the store were away.
   * The store's client belongs to the caller and stays open.
   */
  close(): Promise<void>;
}

const MAX_WORKED = 4096;
/** A fleet of so many runs may send its first reports about one thing, or its questions about one dead end, within a second. */
const AT_ONCE = 10_000;
/** The longest time, in heartbeats, that a first report is put off. Most processes hear the news before. */
const MOST_BEATS = 2;
/** Fingerprints that any process may send within a minute, however small its share. */
const LEAST_SHARE = 4;

/** Creates one process's side of a fleet over a store. Throws a `DoomloopError` for an invalid option. */
export function createStoreFleet(options: StoreFleetOptions): StoreFleet {
  const settings = resolveStoreOptions(options);
  const { key, tenant, windowMs, tenantQuota, heartbeatMs } = settings;
  const store = options.store({ tenant, windowMs });
  const local = createMemoryFleet(options);
  // If the clock throws, the time stands still, as it does when the clock is set back.
  const now = createSteadyClock(() => safely(options.now ?? (() => performance.now())) ?? Number.NaN);
  const nameOf = createNameOf(key, tenant);
  // It grows with the square, because only a time of more than a heartbeat spares reports.
  const spreadMs = (beats: number): number =>
    Math.min(beats * heartbeatMs, 1000 * (permits.counts().fleet / AT_ONCE) ** 2);
  // Within one heartbeat, every process asks anyway.
  const knownSuspects = createKnownSuspects(settings, now, () => spreadMs(1));
  const watch = createFleetWatch(options);
  const cleared = createClearedCalls(windowMs);
  const worked = createRecencyTable<number>(MAX_WORKED);

  const link = createStoreLink(settings.deadlineMs, watch, () => timers.back());
  const permits = createRunPermits({ settings, link }, now, () => timers.soon());
  const suspicions = createSuspicions({
    ...{ now, nameOf, onLost: watch.dropped },
    share() {
      const { fleet, active } = permits.counts();
      const share = fleet > active ? (tenantQuota * active) / fleet : tenantQuota;
      return Math.max(Math.min(LEAST_SHARE, tenantQuota), Math.floor(share));
    },
    spreadMs: () => spreadMs(MOST_BEATS),
  });
  const mode = createFleetModeSwitch(settings.mode, permits.counts, watch.notify);
  const parts = {
    settings,
    store,
    now,
    nameOf,
    link,
    watch,
    knownSuspects,
    cleared,
    suspicions,
    worked,
    permits,
    mode,
  };
  const heartbeat = createHeartbeat(parts, {
    onFinding: (found) => void safely(() => options.onFinding?.(found)),
    worked: (): Iterable<readonly [Digest, number]> => worked.entries(),
  });
  const timers = createFleetTimers(parts, heartbeat.beat, createDelivery(parts, heartbeat.claim));

  return {
    join: (who) => createStoreFleetMember(who, local.join(who), parts, timers.soon),
    findings: () => allFindings(local, knownSuspects, nameOf, windowMs),
    clear() {
      const names = knownSuspects.list().map(({ name }) => name);
      suspicions.clearAll(names);
      for (const name of names) knownSuspects.delete(name);
      local.clear();
      timers.soon();
    },
    flush: timers.flush,
    stats: () => ({
      ...watch.counts(),
      ...{
        store: link.state(),
        mode: mode.current(),
        witness: shortHash(settings.witness),
        queued: suspicions.reports(),
        runs: permits.counts(),
      },
    }),
    async close() {
      await timers.close();
      link.end();
      suspicions.drop();
      watch.tellState("ended", "away");
    },
  };
}

/** All dead ends known here: those of this process, with the names of its workers, and those of the whole fleet. */
function allFindings(
  local: Fleet,
  knownSuspects: KnownSuspects,
  nameOf: NameOf,
  windowMs: number,
): FleetGlobalFinding[] {
  const here = local.findings().map((finding) => ({ ...finding, fingerprint: nameOf(finding.fingerprint) }));
  const own = new Set(here.map(({ fingerprint }) => fingerprint));
  const others = knownSuspects.list().filter(({ name }) => !own.has(name) && knownSuspects.deadEnd(name) !== undefined);
  return [...here, ...others.map((suspect) => findingOf(suspect, windowMs))].sort((a, b) => b.calls - a.calls);
}
