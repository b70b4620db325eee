export type { FleetMember, FleetMode, FleetReport, FleetVerdict } from "../core/fleet-member.ts";
export type { FleetScope } from "../core/fleet-scope.ts";
export type { Fleet, FleetGlobalFinding, FleetOptions, FleetWorker } from "./fleet.ts";
export { createMemoryFleet, type MemoryFleet, type MemoryFleetOptions } from "./memory/memory-fleet.ts";
export type { MemoryFleetSnapshot } from "./memory/memory-fleet-snapshot.ts";
export type { FleetCounts } from "./redis/fleet-watch.ts";
export type { RedisClient } from "./redis/redis-client.ts";
export { createRedisFleet, type RedisFleet, type RedisFleetStats } from "./redis/redis-fleet.ts";
export type {
  FleetNotice,
  FleetState,
  FlushOutcome,
  RedisFleetObserver,
  RedisFleetOptions,
  StopsWhenAway,
} from "./redis/redis-fleet-options.ts";
export type { StoreState } from "./redis/store-link.ts";
