import { createRedisFleet, type FleetMode } from "doomloop/fleet";
import type { Redis } from "ioredis";

declare const client: Redis;
declare const key: string;

// #region mode
const mode = (process.env.DOOMLOOP_FLEET_MODE ?? "on") as FleetMode; // or a function, called at every heartbeat
const fleet = createRedisFleet({ client, key, tenant: "research", mode });

// #endregion mode

export { fleet };
