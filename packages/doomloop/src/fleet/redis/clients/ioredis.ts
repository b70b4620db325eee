import { DoomloopError } from "../../../core/doomloop-error.ts";
import { hearErrors, type RedisCommands } from "../redis-commands.ts";

/** What is used of a client of `ioredis` or `iovalkey`: a `Redis`, with Sentinel or without, or a `Cluster`. */
export interface IoredisClient {
  readonly status: string;
  pipeline(commands: unknown[][]): { exec(): Promise<[Error | null, unknown][] | null> };
  on(event: "error", listener: () => void): unknown;
}

export function isIoredisClient(client: object): client is IoredisClient {
  return "pipeline" in client && "status" in client;
}

export function ioredisCommands(client: IoredisClient): RedisCommands {
  requireNoPrefix(client);
  hearErrors(client);
  return {
    async send(commands) {
      // On a Cluster, iovalkey finds the keys of commands that are written small, and sends all others anywhere.
      const calls = commands.map(([name, ...words]) => ["call", name.toLowerCase(), ...words]);
      const replies = await client.pipeline(calls).exec();
      return (replies ?? []).map(([fault, reply]) => fault ?? reply);
    },
  };
}

/** An operator's switch, and workers that have no prefix, would be somewhere else, and nobody would notice. */
function requireNoPrefix(client: IoredisClient): void {
  const { options } = client as { options?: { keyPrefix?: string; redisOptions?: { keyPrefix?: string } } };
  if (!options?.keyPrefix && !options?.redisOptions?.keyPrefix) return;
  throw new DoomloopError(
    "invalid-option",
    "fleet: client: one without keyPrefix is required: the tenant keeps fleets apart",
  );
}
