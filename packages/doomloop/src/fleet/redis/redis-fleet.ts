import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-member.ts";
import type { Fleet } from "../fleet.ts";
import { createMemoryFleet } from "../memory/memory-fleet.ts";
import { createSteadyClock } from "../steady-clock.ts";
import { createDeadEnds } from "./dead-ends.ts";
import { createDelivery } from "./deliver-suspicions.ts";
import { allFindings, findingOf } from "./fleet-findings.ts";
import { fleetKeys } from "./fleet-keys.ts";
import { createModeOfFleet } from "./fleet-mode.ts";
import { createFleetTimers } from "./fleet-timers.ts";
import { createFleetWatch, type FleetCounts } from "./fleet-watch.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { commandsOf } from "./redis-client.ts";
import { createRedisFleetMember } from "./redis-fleet-member.ts";
import { type RedisFleetOptions, resolveRedisOptions } from "./redis-fleet-options.ts";
import { createRunPermits, type RunPermits } from "./run-permits.ts";
import { createStoreLink, type StoreState } from "./store-link.ts";
import { createNameOf } from "./store-names.ts";
import { createSuspicions } from "./suspicions.ts";

/** How a fleet stands, and what it has done so far in this process. */
export interface RedisFleetStats extends FleetCounts {
  readonly store: StoreState;
  readonly mode: FleetMode;
  /** Reports that wait. One that is none of `delivered`, `lost` and `queued` is under way. */
  readonly queued: number;
  readonly runs: ReturnType<RunPermits["counts"]>;
}

/** A fleet whose counts live in Redis or Valkey. What workers of one process do is counted in that process, as by `createMemoryFleet`. */
export interface RedisFleet extends Fleet {
  /** Forgets what is known here, and clears in the store what this process or the news suspect; the rest is over with its window. */
  clear(): void;
  stats(): RedisFleetStats;
  /** Delivers what waits, for a deadline at most, and stops: members go on as if the store were away. The client stays open, it is the caller's. */
  close(): Promise<void>;
}

/** Creates one process's side of a fleet over Redis or Valkey. Throws a `DoomloopError` for options that make no sense. */
export function createRedisFleet(options: RedisFleetOptions): RedisFleet {
  const settings = resolveRedisOptions(options);
  const { key, tenant, windowMs } = settings;
  const local = createMemoryFleet(options);
  // A clock that fails stands still, as one that is set back.
  const now = createSteadyClock(() => safely(options.now ?? (() => performance.now())) ?? Number.NaN);
  const keys = fleetKeys(tenant);
  const nameOf = createNameOf(key, tenant);
  const deadEnds = createDeadEnds(settings, now);
  const watch = createFleetWatch(options);
  const suspicions = createSuspicions(now, nameOf, watch.dropped);

  const link = createStoreLink(commandsOf(options.client), settings.deadlineMs, watch, () => timers.back());
  const permits = createRunPermits({ settings, keys, link }, now, () => timers.soon());
  const mode = createModeOfFleet(settings.mode, permits.counts, watch.notify);
  const parts = { settings, keys, nameOf, link, watch, deadEnds, suspicions, permits, mode };
  const deliver = createDelivery(parts, (found) => safely(() => options.onFinding?.(findingOf(found, windowMs))));
  const timers = createFleetTimers(parts, createHeartbeat(parts), deliver);

  return {
    join: (who) => createRedisFleetMember(who, local.join(who), parts, timers.soon),
    findings: () => allFindings(local, deadEnds, nameOf, windowMs),
    clear() {
      const names = deadEnds.list().map(({ name }) => name);
      suspicions.clearAll(names);
      for (const name of names) deadEnds.delete(name);
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
