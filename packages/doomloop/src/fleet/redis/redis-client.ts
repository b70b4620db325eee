import { DoomloopError } from "../../core/doomloop-error.ts";
import { type IoredisClient, ioredisCommands, isIoredisClient } from "./clients/ioredis.ts";
import { isNodeRedisClient, type NodeRedisClient, nodeRedisCommands } from "./clients/node-redis.ts";
import type { RedisCommands } from "./redis-commands.ts";

/** A client of the caller's, told by its shape. No package is imported: any version that has these methods will do. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** The commands of a client; throws a `DoomloopError` for one that nobody knows, or that changes the names of keys. */
export function commandsOf(client: unknown): RedisCommands {
  if (typeof client === "object" && client !== null) {
    if (isIoredisClient(client)) return ioredisCommands(client);
    if (isNodeRedisClient(client)) return nodeRedisCommands(client);
  }
  const required = "fleet: client: one of ioredis, iovalkey or redis (node-redis) is required";
  throw new DoomloopError("invalid-option", `${required}, got ${typeof client}`);
}
