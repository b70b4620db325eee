import { hearErrors, type RedisCommands, toError } from "../redis-commands.ts";

/** What is used of a client of `redis` (node-redis): of `createClient`, `createCluster` or `createSentinel`. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(...words: never[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
}

export function isNodeRedisClient(client: object): client is NodeRedisClient {
  return "sendCommand" in client && "isOpen" in client;
}

/** What is sent within one turn of the event loop travels together: this client sees to that itself. */
export function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  hearErrors(client);
  const send = senderOf(client);
  return { send: (group) => Promise.all(group.map((words) => send([...words], group[0]?.[1]).catch(toError))) };
}

/** A Cluster wants a key of the group, a Sentinel to know whether a replica would do. It would not: news are read right after they are written. */
function senderOf(client: NodeRedisClient): (words: string[], key: string | undefined) => Promise<unknown> {
  const send = client.sendCommand.bind(client) as (...words: unknown[]) => Promise<unknown>;
  if ("masters" in client) return (words, key) => send(key, false, words);
  if ("getSentinelNode" in client) return (words) => send(false, words);
  return (words) => send(words);
}
