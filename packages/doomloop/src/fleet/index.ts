export type { FleetMode } from "../core/fleet-view.ts";
export type { Fleet, FleetOptions } from "./fleet.ts";
export type { FleetMember } from "./fleet-member.ts";
export { createMemoryFleet, type MemoryFleet } from "./memory-fleet.ts";
export type { RedisClient } from "./redis-client.ts";
export { createRedisFleet, type RedisFleetOptions } from "./redis-fleet.ts";
export type { FleetStore, OpenFleetStore } from "./store.ts";
export { createStoreFleet, type StoreFleet } from "./store-fleet.ts";
export type { StoreFleetOptions } from "./store-fleet-options.ts";
