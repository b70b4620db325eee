export type { FleetMode } from "../core/fleet-view.ts";
export type { FleetScope } from "../core/memory/step.ts";
export type { Fleet, FleetGlobalFinding, FleetOptions, FleetWorker } from "./fleet.ts";
export type { FleetMember, FleetReport, FleetVerdict } from "./fleet-member.ts";
export { createMemoryFleet, type MemoryFleet, type MemoryFleetOptions } from "./memory/memory-fleet.ts";
export type { MemoryFleetSnapshot } from "./memory/memory-fleet-snapshot.ts";
export { createMemoryStore, type MemoryStore } from "./memory/memory-store.ts";
export type { FleetCounts } from "./process/fleet-watch.ts";
export {
  createStoreFleet,
  type StoreFleet,
  type StoreFleet as RedisFleet,
  type StoreFleetStats,
  type StoreFleetStats as RedisFleetStats,
} from "./process/store-fleet.ts";
export type {
  FleetNotice,
  FleetState,
  FlushOutcome,
  StopsWhenAway,
  StoreFleetObserver,
  StoreFleetObserver as RedisFleetObserver,
  StoreFleetOptions,
} from "./process/store-fleet-options.ts";
export type { StoreState } from "./process/store-link.ts";
export type { RedisClient } from "./redis/redis-client.ts";
export { createRedisFleet, type RedisFleetOptions } from "./redis/redis-fleet.ts";
export { redisStore } from "./redis/redis-store.ts";
export {
  type Announcement,
  type FleetStore,
  type OpenFleetStore,
  type PermitAnswer,
  type PermitQuestion,
  type StoreAnswer,
  type StoreCounts,
  type StoreNews,
  type StoreQuestion,
  type StoreReport,
  type StoreSpace,
  type Suspect,
  storeRefusal,
  type Thresholds,
} from "./store.ts";
