import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-member.ts";
import { createSteadyClock, type Fleet, type FleetGlobalFinding } from "../fleet.ts";
import { createMemoryFleet } from "../memory/memory-fleet.ts";
import { createDelivery } from "./deliver-suspicions.ts";
import { createNameOf, type FleetKeys, fleetKeys, type NameOf } from "./fleet-keys.ts";
import { createFleetModeSwitch, type FleetModeSwitch } from "./fleet-mode.ts";
import { createFleetTimers } from "./fleet-timers.ts";
import { createFleetWatch, type FleetCounts, type FleetWatch } from "./fleet-watch.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createKnownSuspects, type KnownSuspects, type Suspect } from "./known-suspects.ts";
import { commandsOf } from "./redis-client.ts";
import { createRedisFleetMember } from "./redis-fleet-member.ts";
import { type RedisFleetOptions, type ResolvedRedisOptions, resolveRedisOptions } from "./redis-fleet-options.ts";
import { createRunPermits, type RunPermits } from "./run-permits.ts";
import { createStoreLink, type StoreLink, type StoreState } from "./store-link.ts";
import { createSuspicions, type Suspicions } from "./suspicions.ts";

/** The parts of one process's side of a fleet. */
export interface FleetParts {
  readonly settings: ResolvedRedisOptions;
  readonly keys: FleetKeys;
  readonly nameOf: NameOf;
  readonly link: StoreLink;
  readonly watch: FleetWatch;
  readonly knownSuspects: KnownSuspects;
  readonly suspicions: Suspicions;
  readonly permits: RunPermits;
  readonly mode: FleetModeSwitch;
}

/** The state of a fleet, and what it has done so far in this process. */
export interface RedisFleetStats extends FleetCounts {
  readonly store: StoreState;
  readonly mode: FleetMode;
  /** Reports that wait to be sent. A report that is not `delivered`, `lost` or `queued` is being sent now. */
  readonly queued: number;
  readonly runs: ReturnType<RunPermits["counts"]>;
}

/** A fleet that keeps its counts in Redis or Valkey. Each process also counts its own workers' calls, as `createMemoryFleet` does. */
export interface RedisFleet extends Fleet {
  /**
   * Forgets what this process knows. In the store, it clears the calls that this process reported or that the news
   * suspects. The others expire with their window.
   */
  clear(): void;
  stats(): RedisFleetStats;
  /**
   * Delivers the reports that wait, for at most `deadlineMs`, and then stops. Members go on as if the store were away.
   * The client belongs to the caller and stays open.
   */
  close(): Promise<void>;
}

/** Creates one process's side of a fleet over Redis or Valkey. Throws a `DoomloopError` for an invalid option. */
export function createRedisFleet(options: RedisFleetOptions): RedisFleet {
  const settings = resolveRedisOptions(options);
  const { key, tenant, windowMs } = settings;
  const local = createMemoryFleet(options);
  // If the clock throws, the time stands still, as it does when the clock is set back.
  const now = createSteadyClock(() => safely(options.now ?? (() => performance.now())) ?? Number.NaN);
  const keys = fleetKeys(tenant);
  const nameOf = createNameOf(key, tenant);
  const knownSuspects = createKnownSuspects(settings, now);
  const watch = createFleetWatch(options);
  const suspicions = createSuspicions(now, nameOf, watch.dropped);

  const link = createStoreLink(commandsOf(options.client), settings.deadlineMs, watch, () => timers.back());
  const permits = createRunPermits({ settings, keys, link }, now, () => timers.soon());
  const mode = createFleetModeSwitch(settings.mode, permits.counts, watch.notify);
  const parts = { settings, keys, nameOf, link, watch, knownSuspects, suspicions, permits, mode };
  const deliver = createDelivery(parts, (found) => safely(() => options.onFinding?.(findingOf(found, windowMs))));
  const timers = createFleetTimers(parts, createHeartbeat(parts), deliver);

  return {
    join: (who) => createRedisFleetMember(who, local.join(who), parts, timers.soon),
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
      ...{ store: link.state(), mode: mode.current(), queued: suspicions.reports(), runs: permits.counts() },
    }),
    async close() {
      await timers.close();
      link.end();
      suspicions.drop();
      watch.tellState("ended", "away");
    },
  };
}

/** A dead end of the whole fleet as a finding. The store does not know which workers made the calls. */
function findingOf({ name, tool, calls, workers }: Suspect, windowMs: number): FleetGlobalFinding {
  return { fingerprint: name, tool, calls, workers, windowMs, workerNames: [] };
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
