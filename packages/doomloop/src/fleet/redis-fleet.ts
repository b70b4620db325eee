import {
  type Command,
  numberIn,
  type RedisClient,
  type SendCommands,
  sendAll,
  senderOf,
  textIn,
} from "./redis-client.ts";
import { type FleetStore, MAX_COUNTED, MAX_SUSPECTS, type OpenFleetStore, type Suspect } from "./store.ts";
import { createStoreFleet, type StoreFleet } from "./store-fleet.ts";
import type { StoreFleetOptions } from "./store-fleet-options.ts";

/** The options of a fleet over Redis or Valkey. */
export interface RedisFleetOptions extends Omit<StoreFleetOptions, "store"> {
  /**
   * A client of `ioredis`, `iovalkey` or `redis` (node-redis) for a single server, Sentinel or Cluster, without `keyPrefix`. Your
   * program can use it for other things, too, and remains in charge of its timeouts, reconnecting and closing. The fleet listens to
   * its `error` event.
   */
  readonly client: RedisClient;
}

/** Creates one process's side of a fleet over Redis or Valkey. Throws a `DoomloopError` for an invalid option. */
export function createRedisFleet({ client, ...options }: RedisFleetOptions): StoreFleet {
  return createStoreFleet({ ...options, store: redisStore(client) });
}

/** The number changes with the form of the data, so that two versions do not read each other's keys. */
const PREFIX = "dl4";
const NAME = /^[\w-]{22}$/;
const MAX_TOOL = 80;

/**
 * Keeps a fleet's counts in Redis 7 or later, or in Valkey. A call has two HyperLogLogs, one of its tries and one of the processes that made
 * them. They end together, one window after the first try, and are deleted together. The part of a key in braces selects the slot of a
 * Cluster: the list of suspects has one, and each call has its own.
 */
export function redisStore(client: RedisClient): OpenFleetStore {
  const send = senderOf(client);
  return ({ tenant, windowMs }) => openRedisStore(send, tenant, windowMs);
}

function openRedisStore(send: SendCommands, tenant: string, windowMs: number): FleetStore {
  const list = `${PREFIX}:{${tenant}}:suspects`;
  const keysOf = (name: string): [tries: string, processes: string] => [
    `${PREFIX}:{${tenant}:${name}}:tries`,
    `${PREFIX}:{${tenant}:${name}}:processes`,
  ];
  /** Sets the end of a key, and never puts it off. */
  const ends = (key: string): Command => ["PEXPIRE", key, String(windowMs), "LT"];
  let isNewEnough = false;

  return {
    async count({ name, calls, process }) {
      const [tries, processes] = keysOf(name);
      // A server before Redis 7 refuses this, and nothing is written there.
      if (!isNewEnough && calls.length > 0) await sendAll(send, [ends(tries)]);
      isNewEnough ||= calls.length > 0;
      const add = (key: string, words: readonly string[]): Command[] => [["PFADD", key, ...words], ends(key)];
      const writes = calls.length > 0 ? [...add(tries, calls), ...add(processes, [process])] : [];
      const replies = await sendAll(send, [...writes, ["PFCOUNT", tries], ["PFCOUNT", processes], ["PTTL", tries]]);
      const [made = 0, by = 0, lastsMs = 0] = replies.slice(-3).map(numberIn);
      const counts = { calls: Math.min(made, MAX_COUNTED), processes: Math.min(by, MAX_COUNTED) };
      return { ...counts, lastsMs: Math.min(lastsMs, windowMs) };
    },
    async suspect({ name, tool }) {
      const [listed] = await sendAll(send, [["HLEN", list]]);
      if (numberIn(listed) >= MAX_SUSPECTS) return false;
      const add: Command[] = [
        ["HSETNX", list, name, tool],
        ["PEXPIRE", list, String(2 * windowMs)],
      ];
      return numberIn((await sendAll(send, add))[0]) === 1;
    },
    async suspects() {
      const [reply] = await sendAll(send, [["HRANDFIELD", list, String(MAX_SUSPECTS), "WITHVALUES"]]);
      return suspectsIn(reply);
    },
    async clear(name) {
      await sendAll(send, [["UNLINK", ...keysOf(name)]]);
      await sendAll(send, [["HDEL", list, name]]);
    },
  };
}

/** Names and tools in turn, or in pairs: clients differ. Whatever else somebody has written there is left out. */
function suspectsIn(reply: unknown): Suspect[] {
  const list: readonly unknown[] = Array.isArray(reply) ? reply.slice(0, 2 * MAX_SUSPECTS).flat() : [];
  return list.flatMap((each, at) => {
    const [name = "", tool] = at % 2 === 0 ? [textIn(each), textIn(list[at + 1])] : [];
    return tool === undefined || !NAME.test(name) ? [] : [{ name, tool: tool.slice(0, MAX_TOOL) }];
  });
}
