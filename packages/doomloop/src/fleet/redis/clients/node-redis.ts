import type { RedisCommands } from "../redis-commands.ts";
import { createRenewableConnection } from "./renewable-connection.ts";

/** What is used of a client of `redis` (node-redis): of `createClient`, `createCluster` or `createSentinel`. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(text: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  duplicate(): NodeRedisClient;
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

export function isNodeRedisClient(client: object): client is NodeRedisClient {
  return "evalSha" in client && "duplicate" in client && "isReady" in client;
}

export function nodeRedisCommands(original: NodeRedisClient): RedisCommands {
  const connection = createRenewableConnection<NodeRedisClient>({
    original,
    isReady: (client) => client.isReady,
    isEnded: (client) => !client.isOpen,
    copy(client) {
      const made = client.duplicate();
      // What goes wrong is seen by the calls that fail. Without a listener it would end the process.
      made.on("error", () => {});
      made.connect().catch(() => {});
      return made;
    },
    end(client) {
      // For Sentinel this is a promise.
      Promise.resolve(client.destroy()).catch(() => {});
    },
  });
  return {
    ...connection,
    evalSha: (sha, keys, words) => connection.current().evalSha(sha, scriptOptions(keys, words)),
    eval: (text, keys, words) => connection.current().eval(text, scriptOptions(keys, words)),
  };
}

/** This client says that it may change what it is given, and does not. */
function scriptOptions(keys: readonly string[], words: readonly string[]): { keys: string[]; arguments: string[] } {
  return { keys: keys as string[], arguments: words as string[] };
}
