export type { FleetMode } from "../core/fleet-view.ts";
export type { Fleet, FleetOptions } from "./fleet.ts";
export type { FleetMember } from "./fleet-member.ts";
export { createMemoryFleet, type MemoryFleet } from "./memory/memory-fleet.ts";
export { createStoreFleet, type StoreFleet } from "./process/store-fleet.ts";
export type { StoreFleetOptions } from "./process/store-fleet-options.ts";
export type { RedisClient } from "./redis/redis-client.ts";
export { createRedisFleet, type RedisFleetOptions } from "./redis/redis-fleet.ts";
export {
  type FleetStore,
  type OpenFleetStore,
  type StoreNews,
  storeRefusal,
} from "./store.ts";
