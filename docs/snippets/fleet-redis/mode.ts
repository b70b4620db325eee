import { createRedisFleet } from "doomloop/fleet";
import type { Redis } from "ioredis";

declare const client: Redis;
declare const key: string;

// #region mode
let mode = process.env.DOOMLOOP_FLEET_MODE ?? "shadow"; // or what your feature flags say
const fleet = createRedisFleet({ client, key, tenant: "research", mode: () => mode });

// #endregion mode

mode = "on";

export { fleet };
