import { DoomloopError } from "../../core/doomloop-error.ts";
import { hearErrors, type RedisCommands, toError } from "./redis-commands.ts";

/** A client that the caller passes in, recognised by its methods. No package is imported: any version with these methods works. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** Sends commands through a client. Throws a `DoomloopError` for an unknown client, or for one that changes the names of keys. */
export function commandsOf(client: unknown): RedisCommands {
  if (typeof client === "object" && client !== null) {
    if (isIoredisClient(client)) return ioredisCommands(client);
    if (isNodeRedisClient(client)) return nodeRedisCommands(client);
  }
  const required = "fleet: client: one of ioredis, iovalkey or redis (node-redis) is required";
  throw new DoomloopError("invalid-option", `${required}, got ${typeof client}`);
}

/** The methods in use of an `ioredis` or `iovalkey` client: a `Redis`, with Sentinel or without, or a `Cluster`. */
interface IoredisClient {
  readonly status: string;
  pipeline(commands: unknown[][]): { exec(): Promise<[Error | null, unknown][] | null> };
  on(event: "error", listener: () => void): unknown;
}

function isIoredisClient(client: object): client is IoredisClient {
  return "pipeline" in client && "status" in client;
}

function ioredisCommands(client: IoredisClient): RedisCommands {
  requireNoPrefix(client);
  hearErrors(client);
  return {
    async send(commands) {
      // On a Cluster, iovalkey finds the keys of lower-case commands only, and sends all others to any server.
      const calls = commands.map(([name, ...words]) => ["call", name.toLowerCase(), ...words]);
      const replies = await client.pipeline(calls).exec();
      return (replies ?? []).map(([fault, reply]) => fault ?? reply);
    },
  };
}

/** With a prefix, this worker would silently miss the operator's switch and all workers without the prefix. */
function requireNoPrefix(client: IoredisClient): void {
  const { options } = client as { options?: { keyPrefix?: string; redisOptions?: { keyPrefix?: string } } };
  if (!options?.keyPrefix && !options?.redisOptions?.keyPrefix) return;
  throw new DoomloopError(
    "invalid-option",
    "fleet: client: one without keyPrefix is required: the tenant keeps fleets apart",
  );
}

/** The methods in use of a `redis` (node-redis) client, made by `createClient`, `createCluster` or `createSentinel`. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(...words: never[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
}

function isNodeRedisClient(client: object): client is NodeRedisClient {
  return "sendCommand" in client && "isOpen" in client;
}

/** This client itself sends together what is written within one turn of the event loop. */
function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  hearErrors(client);
  const send = senderOf(client);
  return { send: (group) => Promise.all(group.map((words) => send([...words], group[0]?.[1]).catch(toError))) };
}

/**
 * A Cluster client needs a key of the group. A Sentinel client needs to know whether a replica may answer: it may not,
 * because the news is read right after it is written.
 */
function senderOf(client: NodeRedisClient): (words: string[], key: string | undefined) => Promise<unknown> {
  const send = client.sendCommand.bind(client) as (...words: unknown[]) => Promise<unknown>;
  if ("masters" in client) return (words, key) => send(key, false, words);
  if ("getSentinelNode" in client) return (words) => send(false, words);
  return (words) => send(words);
}
