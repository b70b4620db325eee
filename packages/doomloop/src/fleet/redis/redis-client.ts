import { DoomloopError } from "../../core/doomloop-error.ts";
import { type GlideClient, glideCommands, isGlideClient } from "./clients/glide.ts";
import { type IoredisClient, ioredisCommands, isIoredisClient } from "./clients/ioredis.ts";
import { isNodeRedisClient, type NodeRedisClient, nodeRedisCommands } from "./clients/node-redis.ts";
import type { RedisCommands } from "./redis-commands.ts";

/** A client of the caller's, told by its shape. No package is imported: any version that has these methods will do. */
export type RedisClient = IoredisClient | NodeRedisClient | GlideClient;

/** The commands of a client; throws a `DoomloopError` for one that nobody knows. */
export function commandsOf(client: unknown, copyClient?: () => Promise<GlideClient>): RedisCommands {
  if (typeof client === "object" && client !== null) {
    if (isIoredisClient(client)) return ioredisCommands(client);
    if (isNodeRedisClient(client)) return nodeRedisCommands(client);
    if (isGlideClient(client)) return glideCommands(client, copyClient);
  }
  throw new DoomloopError(
    "invalid-option",
    `fleet: client: one of ioredis, iovalkey, redis or @valkey/valkey-glide is required, got ${typeof client}`,
  );
}
