export type { FleetMember, FleetReport, FleetVerdict } from "../core/fleet-member.ts";
export type { Fleet, FleetGlobalFinding, FleetWorker } from "./fleet.ts";
export type { FleetOptions } from "./fleet-options.ts";
export { createMemoryFleet, type MemoryFleet, type MemoryFleetOptions } from "./memory/memory-fleet.ts";
export type { MemoryFleetSnapshot } from "./memory/memory-fleet-snapshot.ts";
